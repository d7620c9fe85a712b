// `Intl.DisplayNames`.

import { section } from "./data.js";
import { resolve, supported } from "./locale_matching.js";
import { canonical, choice, optionsOf, range } from "./options.js";
import { defineService, slotsOf } from "./service.js";

const NAME = "Intl.DisplayNames";
const TYPES = ["language", "region", "script", "currency", "calendar", "dateTimeField"];
const FIELDS = {
  era: "era", year: "year", quarter: "quarter", month: "month", weekOfYear: "week", weekday: "weekday", day: "day",
  dayPeriod: "dayperiod", hour: "hour", minute: "minute", second: "second", timeZoneName: "zone",
};
const CALENDARS = { gregory: "gregorian", ethioaa: "ethiopic-amete-alem" };

function initialise(locales, given) {
  if (given === undefined || (typeof given !== "object" && typeof given !== "function")) throw new TypeError("invalid_argument");
  const options = optionsOf(given, NAME);
  choice(options, "localeMatcher", ["lookup", "best fit"], "best fit", NAME);
  const style = choice(options, "style", ["narrow", "short", "long"], "long", NAME);
  const type = choice(options, "type", TYPES, undefined, NAME);
  if (type === undefined) throw new TypeError(`Required option "type" must not be undefined`);
  const fallback = choice(options, "fallback", ["code", "none"], "code", NAME);
  const languageDisplay = choice(options, "languageDisplay", ["dialect", "standard"], "dialect", NAME);
  const found = resolve(locales, {}, {});
  return { locale: found.locale, data: found.data, style, type, fallback, languageDisplay: type === "language" ? languageDisplay : undefined };
}

const invalid = () => range("invalid_argument");

// A name, in the short form if it is requested and exists.
const styled = (names, code, style) => (style === "long" ? undefined : names[`${code}-alt-${style}`]) ?? (style === "narrow" ? names[`${code}-alt-short`] : undefined) ?? names[code];

function language(slots, tag) {
  const names = section("names", slots.data);
  if (!/^[a-z]{2,3}(?:-|$)|^[a-z]{5,8}(?:-|$)/i.test(tag) || /-(?:[a-z0-9])-/i.test(tag)) throw invalid();
  const code = canonical(tag);
  const parts = code.split("-");
  let head = parts.length;
  const isKnown = () => styled(names.languages, parts.slice(0, head).join("-"), slots.style) !== undefined;
  if (slots.languageDisplay === "dialect") {
    while (head > 1 && !isKnown()) head -= 1;
    // A name of a script is not combined with a region.
    if (head === 2 && parts.length > 2 && parts[1].length === 4) head = 1;
  } else head = 1;
  const base = styled(names.languages, parts.slice(0, head).join("-"), slots.style);
  if (base === undefined && slots.fallback === "none") return undefined;
  const rest = parts.slice(head).map((part) => {
    if (part.length === 4 && /^[A-Z]/.test(part)) return names.scripts[part] ?? part;
    if (/^(?:[A-Z]{2}|\d{3})$/.test(part)) return styled(names.territories, part, slots.style) ?? part;
    return names.variants[part.toUpperCase()] ?? part.toUpperCase();
  });
  const shown = base ?? parts[0];
  if (rest.length === 0) return shown;
  const { localePattern, localeSeparator } = names.pattern;
  const inside = rest.reduce((one, other) => localeSeparator.replace("{0}", one).replace("{1}", other));
  return localePattern.replace("{0}", shown).replace("{1}", inside);
}

function nameOf(slots, code) {
  const names = section("names", slots.data);
  const { style } = slots;
  switch (slots.type) {
    case "language":
      return [language(slots, code), canonical(code)];
    case "region": {
      if (!/^(?:[a-z]{2}|\d{3})$/i.test(code)) throw invalid();
      return [styled(names.territories, code, style), code];
    }
    case "script": {
      if (!/^[a-z]{4}$/i.test(code)) throw invalid();
      return [styled(names.scripts, code, style), code];
    }
    case "currency": {
      if (!/^[a-z]{3}$/i.test(code)) throw invalid();
      const currency = code.toUpperCase();
      const entry = section("currencies", slots.data)[currency];
      return [entry?.name, currency];
    }
    case "calendar": {
      if (!/^[a-z0-9]{3,8}(?:-[a-z0-9]{3,8})*$/i.test(code)) throw invalid();
      const calendar = code.toLowerCase();
      return [names.calendars?.[CALENDARS[calendar] ?? calendar], calendar];
    }
    default: {
      if (!Object.hasOwn(FIELDS, code)) throw invalid();
      return [names.fields[FIELDS[code] + (style === "long" ? "" : `-${style}`)] ?? names.fields[FIELDS[code]], code];
    }
  }
}

export function makeDisplayNames() {
  return defineService({
    name: "DisplayNames",
    arity: 2,
    initialise,
    resolved: ["locale", "style", "type", "fallback", "languageDisplay"],
    supported: (locales, options) => supported(locales, options, NAME),
    methods: {
      of(code) {
        const slots = slotsOf(this, "DisplayNames", "of");
        const [name, fallback] = nameOf(slots, String(code));
        return name ?? (slots.fallback === "code" ? fallback : undefined);
      },
    },
  });
}
