// `Intl.ListFormat`.

import { section } from "./data.js";
import { resolve, supported } from "./locale_matching.js";
import { choice, optionsOf } from "./options.js";
import { defineService, slotsOf } from "./service.js";

const NAME = "Intl.ListFormat";
const KINDS = { conjunction: "standard", disjunction: "or", unit: "unit" };

function initialise(locales, given) {
  const options = optionsOf(given, NAME, true);
  choice(options, "localeMatcher", ["lookup", "best fit"], "best fit", NAME);
  const found = resolve(locales, {}, {});
  const type = choice(options, "type", Object.keys(KINDS), "conjunction", NAME);
  const style = choice(options, "style", ["long", "short", "narrow"], "long", NAME);
  const name = KINDS[type] + (style === "long" ? "" : `-${style}`);
  return { locale: found.locale, type, style, patterns: section("lists", found.data)[name], language: found.data.split("-")[0], name };
}

function stringsOf(list) {
  if (list === undefined) return [];
  const result = [];
  for (const text of list) {
    if (typeof text !== "string") throw new TypeError(`Iterable yielded ${String(text)} which is not a string`);
    result.push(text);
  }
  return result;
}

const literal = (value) => (value === "" ? [] : [{ type: "literal", value }]);
const element = (value) => [{ type: "element", value }];

function fill(pattern, one, other) {
  return pattern.split(/(\{[01]\})/).flatMap((piece) => (piece === "{0}" ? one : piece === "{1}" ? other : literal(piece)));
}

// Spanish uses `e` before a sound of `i`, and `u` before one of `o`.
function spanish(slots, pattern, next) {
  if (slots.language !== "es") return pattern;
  if (slots.type !== "disjunction" && pattern.includes(" y ") && /^(?:i|hi(?![ae])|y(?=$|[^aeiouáéíóú]))/i.test(next) && !/^y/i.test(next))
    return pattern.replace(" y ", " e ");
  if (slots.type === "disjunction" && /^(?:o|ho|8|11(?:$|[ .,]))/i.test(next)) return pattern.replace(" o ", " u ");
  return pattern;
}

function partsOf(slots, list) {
  const texts = stringsOf(list);
  if (texts.length === 0) return [];
  if (texts.length === 1) return element(texts[0]);
  const { patterns } = slots;
  const last = texts.at(-1);
  if (texts.length === 2) return fill(spanish(slots, patterns[2], last), element(texts[0]), element(last));
  let result = fill(spanish(slots, patterns.end, last), element(texts.at(-2)), element(last));
  // Like ICU, from the left: the middle pattern joins the result so far with the next item.
  const start = fill(patterns.start, element(texts[0]), []);
  const middle = [];
  for (let index = 1; index < texts.length - 2; index += 1) middle.push(...fill(patterns.middle, element(texts[index]), []));
  result = [...start, ...middle, ...result];
  return result;
}

export function makeListFormat() {
  return defineService({
    name: "ListFormat",
    initialise,
    resolved: ["locale", "type", "style"],
    supported: (locales, options) => supported(locales, options, NAME),
    methods: {
      format(list) {
        return partsOf(slotsOf(this, "ListFormat", "format"), list).map(({ value }) => value).join("");
      },
      formatToParts(list) {
        return partsOf(slotsOf(this, "ListFormat", "formatToParts"), list);
      },
    },
  });
}
