// `Intl.RelativeTimeFormat`.

import { section, supplemental } from "./data.js";
import { decimal } from "./decimal.js";
import { resolve, supported } from "./locale_matching.js";
import { layout } from "./number_layout.js";
import { initialise as numberSlots, numberParts } from "./number_format.js";
import { choice, extensionType, optionsOf, range } from "./options.js";
import { defineService, slotsOf } from "./service.js";

const NAME = "Intl.RelativeTimeFormat";
const UNITS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];

function initialise(locales, given) {
  const options = optionsOf(given, NAME);
  choice(options, "localeMatcher", ["lookup", "best fit"], "best fit", NAME);
  const nu = extensionType(options, "numberingSystem");
  const found = resolve(locales, { nu }, { nu: (type) => Object.hasOwn(supplemental.digits, type) });
  const style = choice(options, "style", ["long", "short", "narrow"], "long", NAME);
  const numeric = choice(options, "numeric", ["always", "auto"], "always", NAME);
  const numbers = numberSlots(found.locale, { numberingSystem: found.types.nu });
  return { locale: found.locale, data: found.data, style, numeric, numberingSystem: numbers.numberingSystem, numbers };
}

function partsOf(slots, value, unit, method) {
  const number = Number(value);
  const name = `${unit}`.replace(/s$/, "");
  if (!UNITS.includes(name)) throw range(`Invalid unit argument for ${NAME}.prototype.${method}() '${unit}'`);
  if (!Number.isFinite(number)) throw range(`Value need to be finite number for ${NAME}.prototype.${method}()`);
  const words = section("relative", slots.data)[name][slots.style];
  if (slots.numeric === "auto") {
    const special = words.special[Object.is(number, -0) ? "0" : String(number)];
    if (special !== undefined) return [{ type: "literal", value: special }];
  }
  const isPast = number < 0 || Object.is(number, -0);
  const patterns = isPast ? words.past : words.future;
  const { count } = layout(slots.numbers, decimal(Math.abs(number)));
  const pattern = patterns[count] ?? patterns.other;
  const [before, after] = pattern.split("{0}");
  const parts = numberParts(slots.numbers, Math.abs(number)).map((part) => ({ ...part, unit: name }));
  const literal = (text) => (text ? [{ type: "literal", value: text }] : []);
  return [...literal(before), ...parts, ...literal(after)];
}

export function makeRelativeTimeFormat() {
  return defineService({
    name: "RelativeTimeFormat",
    initialise,
    resolved: ["locale", "style", "numeric", "numberingSystem"],
    supported: (locales, options) => supported(locales, options, NAME),
    methods: {
      format(value, unit) {
        return partsOf(slotsOf(this, "RelativeTimeFormat", "format"), value, unit, "format").map((part) => part.value).join("");
      },
      formatToParts(value, unit) {
        return partsOf(slotsOf(this, "RelativeTimeFormat", "formatToParts"), value, unit, "formatToParts");
      },
    },
  });
}
