// `Intl`, and methods of built-in objects that depend on it. A module of its own, loaded on first use.

import { compareTexts, makeCollator } from "./collator.js";
import { common, supplemental } from "./data.js";
import { formatDate, makeDateTimeFormat } from "./date_format.js";
import { dateSlots } from "./date_options.js";
import { makeDisplayNames } from "./display_names.js";
import { makeListFormat } from "./list_format.js";
import { Locale } from "./locale.js";
import { setNative } from "./native.js";
import { formatNumber, initialise as numberSlots, makeNumberFormat } from "./number_format.js";
import { canonicalLocales, range } from "./options.js";
import { makePluralRules } from "./plural_rules.js";
import { makeRelativeTimeFormat } from "./relative_time.js";
import { makeSegmenter } from "./segmenter.js";
import { hidden } from "./service.js";
import { UNITS } from "./units.js";

const SUPPORTED = {
  calendar: () => ["gregory", "iso8601"],
  collation: () => ["compat", "phonebk", "pinyin", "stroke", "trad", "zhuyin"],
  currency: () => common("money"),
  numberingSystem: () => Object.keys(supplemental.digits).sort(),
  timeZone: () => Object.keys(common("metazones").territory).sort(),
  unit: () => UNITS,
};

function makeIntl() {
  const Intl = {};
  Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });
  const methods = {
    getCanonicalLocales: (locales) => canonicalLocales(locales),
    supportedValuesOf(key) {
      if (!Object.hasOwn(SUPPORTED, String(key))) throw range(`Invalid key : ${String(key)}`);
      return SUPPORTED[String(key)]();
    },
  };
  for (const [name, method] of Object.entries(methods)) hidden(Intl, name, method);
  hidden(Intl, "DateTimeFormat", makeDateTimeFormat());
  hidden(Intl, "NumberFormat", makeNumberFormat());
  hidden(Intl, "Collator", makeCollator());
  hidden(Intl, "PluralRules", makePluralRules());
  hidden(Intl, "RelativeTimeFormat", makeRelativeTimeFormat());
  hidden(Intl, "ListFormat", makeListFormat());
  hidden(Intl, "Locale", Locale);
  hidden(Intl, "DisplayNames", makeDisplayNames());
  hidden(Intl, "Segmenter", makeSegmenter());
  return Intl;
}

// The last arguments and result of `make`, for programs that format many numbers alike.
function remembering(make) {
  let last;
  return (locales, options, ...rest) => {
    if (options !== undefined || (locales !== undefined && typeof locales !== "string")) return make(locales, options, ...rest);
    const key = `${locales} ${rest.join(" ")}`;
    if (last?.key !== key) last = { key, slots: make(locales, options, ...rest) };
    return last.slots;
  };
}

// Letters with special case conversion in Lithuanian and the Turkic languages.
function turkic(locales) {
  const [tag] = canonicalLocales(locales);
  return /^(?:tr|az)\b/.test(tag ?? "") ? "tr" : /^lt\b/.test(tag ?? "") ? "lt" : /^el\b/.test(tag ?? "") ? "el" : "";
}

const NOT_HERE = (language) => range(`The sandbox does not know how ${language} changes the case of letters\nhint: leave out the locale`);

function lower(text, locales) {
  const language = turkic(locales);
  if (language === "tr") return text.replace(/İ/g, "i").replace(/I\u0307/g, "i").replace(/I/g, "ı").toLowerCase();
  if (language === "lt" && /[IJĮÌÍĨ]/.test(text)) throw NOT_HERE("Lithuanian");
  return text.toLowerCase();
}

function upper(text, locales) {
  const language = turkic(locales);
  if (language === "tr") return text.replace(/i/g, "İ").toUpperCase();
  if (language === "lt" && /\u0307/.test(text.normalize("NFD"))) throw NOT_HERE("Lithuanian");
  if (language === "el" && /\p{Script=Greek}/u.test(text)) throw NOT_HERE("Greek");
  return text.toUpperCase();
}

export function make(functions) {
  setNative(functions);
  const numbers = remembering(numberSlots);
  const dates = remembering(dateSlots);
  return {
    Intl: makeIntl(),
    number: (value, locales, options) => formatNumber(numbers(locales, options), value),
    date(time, locales, options, required, defaults) {
      return Number.isNaN(time) ? "Invalid Date" : formatDate(dates(locales, options, required, defaults), time);
    },
    compare: compareTexts,
    lower,
    upper,
  };
}
