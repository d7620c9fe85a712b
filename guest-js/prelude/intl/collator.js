// `Intl.Collator`, and `localeCompare`.

import { resolve, supported } from "./locale_matching.js";
import { native } from "./native.js";
import { choice, extensionType, flag, optionsOf } from "./options.js";
import { defineService } from "./service.js";

const NAME = "Intl.Collator";

// The collations of a language besides its default.
export const COLLATIONS = { de: ["phonebk"], es: ["trad"], ja: ["unihan"], ko: ["searchjl", "unihan"], zh: ["pinyin", "stroke", "unihan", "zhuyin"] };
const isCollation = (type, locale) => type === "emoji" || type === "eor" || (COLLATIONS[locale.split("-")[0]] ?? []).includes(type);
// ICU4X has no data for these.
const LACKING = ["emoji", "eor", "searchjl", "unihan"];

// The locales with a collation in ICU; others have that of their language.
const ORDERED = new Map(
  "de de-AT en en-US es fr fr-CA it ja ko nl pt zh zh-CN zh-HK zh-Hans zh-Hans-CN zh-Hans-SG zh-Hant zh-Hant-HK zh-Hant-MO zh-Hant-TW zh-MO zh-SG zh-TW"
    .split(" ")
    .map((name) => [name, name]),
);

function initialise(locales, given) {
  const options = optionsOf(given, NAME);
  const usage = choice(options, "usage", ["sort", "search"], "sort", NAME);
  choice(options, "localeMatcher", ["lookup", "best fit"], "best fit", NAME);
  const co = extensionType(options, "collation");
  const kn = flag(options, "numeric", undefined);
  const kf = choice(options, "caseFirst", ["upper", "lower", "false"], undefined, NAME);
  const found = resolve(locales, { co, kn: kn === undefined ? undefined : String(kn), kf }, {
    co: (type, locale) => isCollation(type, locale),
    kn: (type) => type === "true" || type === "false",
    kf: (type) => ["upper", "lower", "false"].includes(type),
  }, ORDERED);
  const sensitivity = choice(options, "sensitivity", ["base", "accent", "case", "variant"], undefined, NAME);
  const slots = {
    locale: found.locale,
    usage,
    sensitivity: sensitivity ?? "variant",
    ignorePunctuation: flag(options, "ignorePunctuation", false),
    collation: found.types.co ?? "default",
    numeric: found.types.kn === "true",
    caseFirst: found.types.kf ?? "false",
  };
  if (LACKING.includes(slots.collation))
    throw new RangeError(`The collation ${slots.collation} does not exist in the sandbox\nhint: leave it out, or compare by keys of the program`);
  const tag = slots.collation === "default" ? found.base : `${found.base}-u-co-${slots.collation}`;
  slots.what = `${tag} ${slots.sensitivity} ${slots.numeric} ${slots.caseFirst} ${slots.ignorePunctuation}`;
  return slots;
}

const compare = ({ what }, one, other) => native.compare(what, `${one}`, `${other}`);

let simplest;

// The result of `one.localeCompare(other, locales, options)`.
export function compareTexts(one, other, locales, options) {
  if (locales === undefined && options === undefined) return compare((simplest ??= initialise()), one, other);
  return compare(initialise(locales, options), one, other);
}

export function makeCollator() {
  return defineService({
    name: "Collator",
    callable: true,
    initialise,
    resolved: ["locale", "usage", "sensitivity", "ignorePunctuation", "collation", "numeric", "caseFirst"],
    supported: (locales, options) => supported(locales, options, NAME),
    bound: { compare: (slots) => (one, other) => compare(slots, one, other) },
  });
}
