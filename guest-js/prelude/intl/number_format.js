// `Intl.NumberFormat`.

import { section, supplemental } from "./data.js";
import { decimal, same } from "./decimal.js";
import { digitOptions } from "./digits.js";
import { resolve, supported } from "./locale_matching.js";
import { layout, outer, symbolsOf } from "./number_layout.js";
import { choice, extensionType, optionsOf, range } from "./options.js";
import { pluralRules } from "./plurals.js";
import { defineService, slotsOf } from "./service.js";
import { isUnit } from "./units.js";

const NAME = "Intl.NumberFormat";

const isSystem = (type) => Object.hasOwn(supplemental.digits, type);

function numberSystem(types, data) {
  const asked = types.nu === "native" ? data.native : types.nu;
  return asked ?? data.system;
}

function currencyText(slots) {
  const names = section("currencies", slots.data)[slots.currency];
  switch (slots.currencyDisplay) {
    case "code":
      return slots.currency;
    case "narrowSymbol":
      return names?.narrow ?? names?.symbol ?? slots.currency;
    default:
      return names?.symbol ?? slots.currency;
  }
}

export function initialise(locales, given) {
  const options = optionsOf(given, NAME);
  choice(options, "localeMatcher", ["lookup", "best fit"], "best fit", NAME);
  const nu = extensionType(options, "numberingSystem");
  const found = resolve(locales, { nu }, { nu: isSystem });
  const data = section("numbers", found.data);
  const slots = {
    locale: found.locale,
    data: found.data,
    numberingSystem: numberSystem(found.types, data),
    minimumGrouping: data.minimumGrouping,
    plurals: pluralRules(found.data, "cardinal"),
  };
  slots.style = choice(options, "style", ["decimal", "percent", "currency", "unit"], "decimal", NAME);
  const currency = choice(options, "currency", undefined, undefined, NAME);
  if (currency !== undefined && !/^[a-z]{3}$/i.test(currency)) throw range(`Invalid currency code : ${currency}`);
  if (slots.style === "currency" && currency === undefined) throw new TypeError("Currency code is required with currency style.");
  const currencyDisplay = choice(options, "currencyDisplay", ["code", "symbol", "narrowSymbol", "name"], "symbol", NAME);
  const currencySign = choice(options, "currencySign", ["standard", "accounting"], "standard", NAME);
  const unit = choice(options, "unit", undefined, undefined, NAME);
  if (unit !== undefined && !isUnit(unit)) throw range(`Invalid unit argument for ${NAME}() '${unit}'`);
  if (slots.style === "unit" && unit === undefined) throw new TypeError(`Invalid unit argument for ${NAME}() ''`);
  const unitDisplay = choice(options, "unitDisplay", ["short", "narrow", "long"], "short", NAME);
  if (slots.style === "currency") {
    Object.assign(slots, { currency: currency.toUpperCase(), currencyDisplay, currencySign });
    slots.currencyText = currencyText(slots);
  }
  if (slots.style === "unit") Object.assign(slots, { unit, unitDisplay });
  slots.notation = choice(options, "notation", ["standard", "scientific", "engineering", "compact"], "standard", NAME);
  const fractions = supplemental.fractions[slots.currency] ?? 2;
  const isMoney = slots.style === "currency";
  const most = isMoney ? fractions : slots.style === "percent" ? 0 : 3;
  Object.assign(slots, digitOptions(options, isMoney ? fractions : 0, most, slots.notation === "compact", NAME));
  const compactDisplay = choice(options, "compactDisplay", ["short", "long"], "short", NAME);
  if (slots.notation === "compact") slots.compactDisplay = compactDisplay;
  slots.useGrouping = grouping(options.useGrouping, slots.notation === "compact" ? "min2" : "auto");
  slots.signDisplay = choice(options, "signDisplay", ["auto", "never", "always", "exceptZero", "negative"], "auto", NAME);
  return slots;
}

function grouping(value, fallback) {
  if (value === undefined) return fallback;
  if (value === true) return "always";
  if (!value) return false;
  const text = String(value);
  if (text === "true" || text === "false") return fallback;
  if (!["min2", "auto", "always"].includes(text)) throw range(`Value ${text} out of range for ${NAME} options property useGrouping`);
  return text;
}

const flat = ({ digits, middle, outer: [before, after] }) => joined([...before, ...middle[0], ...digits, ...middle[1], ...after]);

// Adjacent literals are merged.
function joined(parts) {
  const result = [];
  for (const { type, value } of parts) {
    if (value === "") continue;
    if (type === "literal" && result.at(-1)?.type === "literal") result.at(-1).value += value;
    else result.push({ type, value });
  }
  return result;
}

export const numberParts = (slots, value) => flat(layout(slots, decimal(value)));

export function formatNumber(slots, value) {
  let text = "";
  for (const { value: piece } of numberParts(slots, value)) text += piece;
  return text;
}

const textOf = (parts) => parts.map(({ value }) => value).join("");
const key = (pair) => JSON.stringify(pair);
const length = (pair) => Array.from(textOf(pair.flat())).length;

// Both numbers, with shared parts only once.
function rangeParts(slots, start, end) {
  const [low, high] = [decimal(start), decimal(end)];
  if (low.kind === "nan") throw range(`Invalid start : ${String(start)}`);
  if (high.kind === "nan") throw range(`Invalid end : ${String(end)}`);
  const [one, other] = [layout(slots, low), layout(slots, high)];
  const shared = (parts) => parts.map((part) => ({ ...part, source: "shared" }));
  const symbols = symbolsOf(section("numbers", slots.data), slots.numberingSystem);
  if (same(one.shown.number, other.shown.number) && textOf(one.digits) === textOf(other.digits))
    return shared(flat(layout(slots, low, symbols.approximatelySign === undefined ? "" : "~")));
  const isOuter = slots.style === "unit" || slots.currencyDisplay === "name" || key(one.outer) === key(other.outer);
  const isMiddle = isOuter && key(one.middle) === key(other.middle) && one.width > 1;
  const repeats = one.inner > 0 || (!isOuter && length(one.outer) > 0) || (!isMiddle && length(one.middle) > 0);
  const [first, between, last] = section("numbers", slots.data).range.split(/\{[01]\}/);
  let infix = between;
  if (repeats) {
    if (!/^\s/.test(infix)) infix = ` ${infix}`;
    if (!/\s$/.test(infix)) infix = `${infix} `;
  }
  const count = slots.plurals.ranges[`${one.count} ${other.count}`] ?? "other";
  const outside = isOuter ? outer(slots, count) : [[], []];
  const side = (shape, source) => {
    const inside = isMiddle ? shape.digits : [...shape.middle[0], ...shape.digits, ...shape.middle[1]];
    return (isOuter ? inside : [...shape.outer[0], ...inside, ...shape.outer[1]]).map((part) => ({ ...part, source }));
  };
  const literal = (value) => ({ type: "literal", value, source: "shared" });
  const [before, after] = isMiddle ? one.middle : [[], []];
  return joinedSources([
    ...shared([...outside[0], ...before]),
    literal(first),
    ...side(one, "startRange"),
    literal(infix),
    ...side(other, "endRange"),
    literal(last ?? ""),
    ...shared([...after, ...outside[1]]),
  ]);
}

function joinedSources(parts) {
  const result = [];
  for (const part of parts) {
    if (part.value === "") continue;
    const last = result.at(-1);
    if (part.type === "literal" && last?.type === "literal" && last.source === part.source) last.value += part.value;
    else result.push({ ...part });
  }
  return result;
}

const RESOLVED = [
  "locale", "numberingSystem", "style", "currency", "currencyDisplay", "currencySign", "unit", "unitDisplay",
  "minimumIntegerDigits", "minimumSignificantDigits", "maximumSignificantDigits", "minimumFractionDigits",
  "maximumFractionDigits", "useGrouping", "notation", "compactDisplay", "signDisplay", "roundingMode",
  "roundingIncrement", "trailingZeroDisplay", "roundingPriority",
];

export function makeNumberFormat() {
  const bounds = (start, end) => {
    if (start === undefined) throw new TypeError(`Invalid start : ${start}`);
    if (end === undefined) throw new TypeError(`Invalid end : ${end}`);
  };
  return defineService({
    name: "NumberFormat",
    callable: true,
    initialise,
    resolved: RESOLVED,
    supported: (locales, options) => supported(locales, options, NAME),
    bound: { format: (slots) => (value) => formatNumber(slots, value) },
    methods: {
      formatToParts(value) {
        return numberParts(slotsOf(this, "NumberFormat", "formatToParts"), value);
      },
      formatRange(start, end) {
        const slots = slotsOf(this, "NumberFormat", "formatRange");
        bounds(start, end);
        return textOf(rangeParts(slots, start, end));
      },
      formatRangeToParts(start, end) {
        const slots = slotsOf(this, "NumberFormat", "formatRangeToParts");
        bounds(start, end);
        return rangeParts(slots, start, end);
      },
    },
  });
}
