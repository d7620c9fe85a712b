// `Intl.PluralRules`.

import { supplemental } from "./data.js";
import { decimal } from "./decimal.js";
import { digitOptions, rounded } from "./digits.js";
import { resolve, supported } from "./locale_matching.js";
import { choice, optionsOf, range } from "./options.js";
import { operands, pluralRules } from "./plurals.js";
import { defineService, slotsOf } from "./service.js";

const NAME = "Intl.PluralRules";
const CATEGORIES = ["few", "many", "one", "two", "zero", "other"];
// The locales that have rules of their own.
const RULES = new Map(Object.keys(supplemental.plurals).map((name) => [name, name]));

function initialise(locales, given) {
  const options = optionsOf(given, NAME);
  choice(options, "localeMatcher", ["lookup", "best fit"], "best fit", NAME);
  const type = choice(options, "type", ["cardinal", "ordinal"], "cardinal", NAME);
  const found = resolve(locales, {}, {}, RULES);
  const rules = pluralRules(found.base, type);
  const digits = digitOptions(options, 0, 3, false, NAME);
  return {
    locale: found.locale,
    ...digits,
    rounding: digits.type,
    type,
    rules,
    pluralCategories: CATEGORIES.filter((name) => rules.names.includes(name)),
  };
}

function select(slots, value) {
  const { number, fraction } = rounded(decimal(value), { ...slots, type: slots.rounding });
  return number.kind === "finite" ? slots.rules.select(operands(number, fraction)) : "other";
}

export function makePluralRules() {
  return defineService({
    name: "PluralRules",
    initialise,
    resolved: [
      "locale", "type", "minimumIntegerDigits", "minimumSignificantDigits", "maximumSignificantDigits", "minimumFractionDigits",
      "maximumFractionDigits", "pluralCategories",
    ],
    supported: (locales, options) => supported(locales, options, NAME),
    methods: {
      select(value) {
        return select(slotsOf(this, "PluralRules", "select"), Number(value));
      },
      selectRange(start, end) {
        const slots = slotsOf(this, "PluralRules", "selectRange");
        if (start === undefined || end === undefined) throw new TypeError(`Invalid ${start === undefined ? "start" : "end"} : undefined`);
        const [low, high] = [Number(start), Number(end)];
        if (Number.isNaN(low)) throw range("Invalid start : NaN");
        if (Number.isNaN(high)) throw range("Invalid end : NaN");
        return slots.rules.ranges[`${select(slots, low)} ${select(slots, high)}`] ?? "other";
      },
    },
  });
}
