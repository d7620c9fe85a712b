// A number as parts: its digits, and around them patterns, units and names of currencies.

import { section, supplemental } from "./data.js";
import { isZero, magnitude, places, scaled } from "./decimal.js";
import { rounded } from "./digits.js";
import { numberPattern, sides } from "./number_patterns.js";
import { operands, pluralRules } from "./plurals.js";

const part = (type, value) => ({ type, value });

export function symbolsOf(data, system) {
  return system === "latn" ? data.symbols : { ...data.symbols, ...supplemental.symbols[system], nan: data.symbols.nan };
}

// For a numbering system with data in the root locale only.
const ROOT = { percent: "#,##0%", currency: "#,##0.00\u00a0¤", accounting: "#,##0.00\u00a0¤" };
const PATTERNS = { arab: ROOT, arabext: ROOT };

const digitsOf = new Map();
function translate(text, system) {
  if (system === "latn") return text;
  if (!digitsOf.has(system)) digitsOf.set(system, Array.from(supplemental.digits[system]));
  const digits = digitsOf.get(system);
  return text.replace(/\d/g, (digit) => digits[digit]);
}

function integerParts(whole, slots, symbols, pattern) {
  const { primary, secondary } = pattern;
  const group = slots.style === "currency" ? (symbols.currencyGroup ?? symbols.group) : symbols.group;
  if (!slots.useGrouping || primary === 0) return [part("integer", translate(whole, slots.numberingSystem))];
  const least = slots.useGrouping === "min2" ? Math.max(2, slots.minimumGrouping) : slots.useGrouping === "always" ? 1 : slots.minimumGrouping;
  if (whole.length < primary + least) return [part("integer", translate(whole, slots.numberingSystem))];
  const groups = [whole.slice(-primary)];
  for (let end = whole.length - primary; end > 0; end -= secondary) groups.unshift(whole.slice(Math.max(0, end - secondary), end));
  return groups.flatMap((digits, index) => {
    const shown = part("integer", translate(digits, slots.numberingSystem));
    return index === 0 ? [shown] : [part("group", group), shown];
  });
}

function digitParts(slots, shown, symbols, pattern) {
  const { number, fraction } = shown;
  if (number.kind === "nan") return [part("nan", symbols.nan)];
  if (number.kind === "infinity") return [part("infinity", symbols.infinity)];
  const [whole, rest] = places(number, slots.minimumIntegerDigits, fraction);
  const result = integerParts(whole, slots, symbols, pattern);
  if (rest === "") return result;
  const point = slots.style === "currency" ? (symbols.currencyDecimal ?? symbols.decimal) : symbols.decimal;
  return [...result, part("decimal", point), part("fraction", translate(rest, slots.numberingSystem))];
}

// Scientific and engineering notation: the number between 1 and 10 (or 1000), and the power of ten.
function scientific(slots, number, symbols) {
  if (number.kind !== "finite") return { shown: { number, fraction: 0 }, inner: [] };
  const step = slots.notation === "engineering" ? 3 : 1;
  const power = (of) => (isZero(of) ? 0 : Math.floor(magnitude(of) / step) * step);
  let exponent = power(number);
  let shown = rounded(scaled(number, -exponent), slots);
  if (!isZero(shown.number) && power(shown.number) !== 0) {
    const more = power(shown.number);
    exponent += more;
    shown = rounded(scaled(number, -exponent), slots);
  }
  const inner = [part("exponentSeparator", symbols.exponential)];
  if (exponent < 0) inner.push(...named(symbols.minusSign, "exponentMinusSign"));
  inner.push(part("exponentInteger", translate(String(Math.abs(exponent)), slots.numberingSystem)));
  return { shown, inner };
}

function compactTable(slots, data) {
  if (slots.style === "currency" && slots.currencyDisplay !== "name" && slots.compactDisplay === "short") return data.shortCurrency;
  if (slots.style === "currency" && slots.currencyDisplay !== "name") return data.shortCurrency;
  return slots.compactDisplay === "long" ? data.long : data.short;
}

const zeros = (pattern) => numberPattern(pattern).positive.digits.length;

function compact(slots, number, data) {
  const table = compactTable(slots, data);
  const most = Math.max(...Object.keys(table).map(Number), 0);
  const shift = (power) => {
    const patterns = table[Math.min(power, most)];
    if (power < 3 || patterns === undefined) return 0;
    const pattern = patterns.other ?? Object.values(patterns)[0];
    return pattern === "0" ? 0 : Math.min(power, most) - zeros(pattern) + 1;
  };
  if (number.kind !== "finite") return { shown: { number, fraction: 0 } };
  let exponent = isZero(number) ? 0 : shift(magnitude(number));
  let shown = rounded(scaled(number, -exponent), slots);
  let power = isZero(shown.number) ? 0 : magnitude(shown.number) + exponent;
  if (!isZero(number) && power !== magnitude(number) && shift(power) !== exponent) {
    exponent = shift(power);
    shown = rounded(scaled(number, -exponent), slots);
    power = isZero(shown.number) ? 0 : magnitude(shown.number) + exponent;
  }
  const patterns = power < 3 ? undefined : table[Math.min(power, most)];
  if (patterns === undefined || exponent === 0) return { shown, exponent: 0 };
  const isOne = shown.number.digits === "1" && shown.number.point === 1;
  const count = slots.plurals.select(operands(shown.number, shown.fraction));
  const pattern = (isOne ? patterns[1] : undefined) ?? patterns[count] ?? patterns.other;
  return { shown, exponent, pattern };
}

function signOf(slots, number) {
  const { negative } = number;
  const none = isZero(number) || number.kind === "nan";
  switch (slots.signDisplay) {
    case "never":
      return "";
    case "always":
      return negative ? "-" : "+";
    case "exceptZero":
      return none ? "" : negative ? "-" : "+";
    case "negative":
      return negative && !isZero(number) ? "-" : "";
    default:
      return negative ? "-" : "";
  }
}

const SIGNS = { "-": "minusSign", "+": "plusSign", "%": "percentSign", "~": "approximatelySign" };

// Letters of a pattern as parts. Literal text of compact notation is `compact`; blanks around it are not.
function sideParts(side, slots, symbols, literal) {
  return side.flatMap(({ sign, text }) => {
    if (sign === "¤") return [part("currency", slots.currencyText)];
    if (sign === "%" && slots.style === "unit") return named(symbols.percentSign, "unit");
    if (sign !== undefined) return named(symbols[SIGNS[sign]], SIGNS[sign]);
    return named(text, literal);
  });
}

const BLANKS = /^([\s\u200e\u200f\u061c]*)(.*?)([\s\u200e\u200f\u061c]*)$/s;

function named(text, type) {
  const [, before, name, after] = BLANKS.exec(text);
  const parts = [];
  if (before !== "") parts.push(part("literal", before));
  if (name !== "") parts.push(part(type, name));
  if (after !== "") parts.push(part("literal", after));
  return parts;
}

// A blank separates letters of a currency from digits.
function spaced(prefix, suffix, endsInDigits, data) {
  const isApart = (letter) => !/[\p{S}\p{Z}]/u.test(letter);
  const before = prefix.at(-1);
  if (before?.type === "currency" && isApart(Array.from(before.value).at(-1))) prefix.push(part("literal", data.spacing[0]));
  const after = suffix[0];
  if (endsInDigits && after?.type === "currency" && isApart(Array.from(after.value)[0])) suffix.unshift(part("literal", data.spacing[1]));
}

const isPercentUnit = ({ unit, unitDisplay }) => unit === "percent" && unitDisplay !== "long";

function middlePattern(slots, data) {
  if (slots.style === "percent" && slots.notation !== "compact") return data.percent;
  if (isPercentUnit(slots)) return data.percent;
  if (slots.style === "currency" && slots.currencyDisplay !== "name")
    return slots.currencySign === "accounting" ? data.accounting : data.currency;
  return data.decimal;
}

// Replaces `{0}`: the text before and after it, with blanks as literals.
export function around(pattern, type, name) {
  const at = pattern.indexOf("{0}");
  const fill = (text) => named(name === undefined ? text : text.replace("{1}", name), type);
  return at < 0 ? [[], fill(pattern)] : [fill(pattern.slice(0, at)), fill(pattern.slice(at + 3))];
}

function outer(slots, count) {
  if (slots.style === "currency" && slots.currencyDisplay === "name") {
    const names = section("currencies", slots.data)[slots.currency];
    const name = names?.[count] ?? names?.other ?? names?.name ?? slots.currency;
    const { named: patterns } = section("numbers", slots.data);
    return around(patterns[count] ?? patterns.other, "currency", name);
  }
  if (slots.style === "percent" && slots.notation === "compact") {
    const { units } = section("units", slots.data).short;
    return around(units.percent[count] ?? units.percent.other, "unit");
  }
  if (slots.style !== "unit" || isPercentUnit(slots)) return [[], []];
  return around(unitPattern(slots, count), "unit");
}

function unitPattern(slots, count) {
  const { per, units } = section("units", slots.data)[slots.unitDisplay];
  const whole = units[slots.unit];
  if (whole !== undefined) return whole[count] ?? whole.other;
  const [numerator, denominator] = slots.unit.split("-per-");
  const pattern = units[numerator][count] ?? units[numerator].other;
  const below = units[denominator];
  if (below.per !== undefined) return below.per.replace("{0}", pattern);
  const one = (below.one ?? below.other).replace("{0}", "").trim();
  return per.replace("{0}", pattern).replace("{1}", one);
}

// All parts of a number, from the digits outwards.
export function layout(slots, value, approximate = "") {
  const data = { ...section("numbers", slots.data), ...PATTERNS[slots.numberingSystem] };
  const symbols = symbolsOf(data, slots.numberingSystem);
  const number = slots.style === "percent" ? scaled(value, 2) : value;
  let shown;
  let inner = [];
  let exponent = 0;
  let pattern = middlePattern(slots, data);
  let literal = "literal";
  if (slots.notation === "compact") {
    const compacted = compact(slots, number, data);
    ({ shown, exponent = 0 } = compacted);
    if (compacted.pattern !== undefined) {
      pattern = compacted.pattern;
      literal = "compact";
    }
  } else if (slots.notation === "standard") shown = rounded(number, slots);
  else ({ shown, inner } = scientific(slots, number, symbols));
  const base = numberPattern(data.decimal).positive;
  const grouping = literal === "compact" ? base : numberPattern(pattern).positive;
  // French uses `mille` for 1000, without a digit.
  const isWord = numberPattern(pattern).positive.digits === "";
  const digits = isWord ? [] : digitParts(slots, shown, symbols, grouping);
  let [before, after] = sides(numberPattern(pattern), signOf(slots, shown.number), approximate);
  before = sideParts(before, slots, symbols, literal);
  after = sideParts(after, slots, symbols, literal);
  const width = Array.from([...before, ...after].map(({ value }) => value).join("")).length;
  if (shown.number.kind === "finite") spaced(before, after, inner.length === 0, data);
  const count = shown.number.kind === "finite" ? slots.plurals.select(operands(shown.number, shown.fraction, exponent)) : "other";
  return { shown, count, width, inner: inner.length, digits: [...digits, ...inner], middle: [before, after], outer: outer(slots, count) };
}

export { outer };
