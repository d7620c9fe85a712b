// The options of `Intl.DateTimeFormat`, and the pattern for them.

import { section, supplemental } from "./data.js";
import { generator, glue } from "./date_generator.js";
import { pieces } from "./date_skeletons.js";
import { keywords, resolve, withoutExtensions } from "./locale_matching.js";
import { native } from "./native.js";
import { choice, extensionType, flag, optionsOf, range, whole } from "./options.js";
import { zoneName } from "./zones.js";

const NAME = "Intl.DateTimeFormat";

const TEXTS = { narrow: 5, long: 4, short: 3 };
const NUMBERS = { "2-digit": 2, numeric: 1 };
// In the order of a skeleton: the letter for each value.
const FIELDS = [
  ["weekday", "E", TEXTS],
  ["era", "G", TEXTS],
  ["year", "y", NUMBERS],
  ["month", "M", { ...TEXTS, ...NUMBERS }],
  ["day", "d", NUMBERS],
  ["dayPeriod", "B", { narrow: 5, long: 4, short: 1 }],
  ["hour", "j", NUMBERS],
  ["minute", "m", NUMBERS],
  ["second", "s", NUMBERS],
];
const ZONES = { short: "z", long: "zzzz", shortOffset: "O", longOffset: "OOOO", shortGeneric: "v", longGeneric: "vvvv" };
const DATE = ["weekday", "year", "month", "day"];
const TIME = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];
const STYLES = ["full", "long", "medium", "short"];
const CYCLES = { h11: "K", h12: "h", h23: "H", h24: "k" };
const OTHER_CALENDARS =
  "buddhist chinese coptic dangi ethioaa ethiopic hebrew indian islamic islamic-civil islamic-rgsa islamic-tbla islamic-umalqura japanese persian roc".split(" ");

function calendarType(type) {
  if (OTHER_CALENDARS.includes(type))
    throw range(`The calendar ${type} does not exist in the sandbox\nhint: only gregory and iso8601 do; compute the date in the program`);
  return type === "gregory" || type === "iso8601";
}

// The hour cycles of a locale, as letters of patterns: the preferred one, and all allowed ones.
export function hoursOf(locale) {
  const [language, ...rest] = native.maximize(locale).split("-");
  const region = rest.at(-1);
  const entry = supplemental.hours[`${language}-${region}`] ?? supplemental.hours[`${language}_${region}`] ?? supplemental.hours[region] ?? supplemental.hours["001"];
  return entry.split(" ");
}

function hourCycle(options, types, preferred, hour12) {
  const own = Object.keys(CYCLES).find((cycle) => CYCLES[cycle] === preferred);
  // The behaviour of Node 20: midnight is 0 with `hour12` if the locale counts from 0, and 24 without it if it counts
  // to 12.
  const fromZero = own === "h11" || own === "h23";
  if (hour12 !== undefined) return hour12 ? (fromZero ? "h11" : "h12") : fromZero ? "h23" : "h24";
  return types.hc ?? own;
}

// `required` and `defaults` are those of ECMA-402's `ToDateTimeOptions`.
export function dateSlots(locales, given, required = "any", defaults = "date") {
  const options = optionsOf(given, NAME);
  choice(options, "localeMatcher", ["lookup", "best fit"], "best fit", NAME);
  const ca = extensionType(options, "calendar");
  const nu = extensionType(options, "numberingSystem");
  const hour12 = flag(options, "hour12", undefined);
  const hc = choice(options, "hourCycle", Object.keys(CYCLES), undefined, NAME);
  const found = resolve(locales, { ca, nu, hc: hour12 === undefined ? hc : undefined }, {
    ca: (type) => calendarType(type),
    hc: (type) => Object.hasOwn(CYCLES, type),
    nu: (type) => Object.hasOwn(supplemental.digits, type),
  });
  const zone = options.timeZone === undefined ? "UTC" : zoneName(String(options.timeZone));
  if (zone === undefined) throw range(`Invalid time zone specified: ${options.timeZone}`);
  const slots = {
    locale: found.locale,
    data: found.data,
    calendar: found.types.ca ?? "gregory",
    numberingSystem: found.types.nu ?? section("numbers", found.data).system,
    timeZone: zone,
  };
  const asked = {};
  for (const [name, , values] of FIELDS) asked[name] = choice(options, name, Object.keys(values), undefined, NAME);
  asked.fractionalSecondDigits = whole(options.fractionalSecondDigits, "fractionalSecondDigits", 1, 3, undefined);
  asked.timeZoneName = choice(options, "timeZoneName", Object.keys(ZONES), undefined, NAME);
  choice(options, "formatMatcher", ["basic", "best fit"], "best fit", NAME);
  slots.dateStyle = choice(options, "dateStyle", STYLES, undefined, NAME);
  slots.timeStyle = choice(options, "timeStyle", STYLES, undefined, NAME);
  checkStyles(slots, asked, required);
  addDefaults(slots, asked, required, defaults);
  const ofTag = /-u-(?:.*-)?hc-(h\d\d)/.exec(found.asked)?.[1];
  const preferred = CYCLES[ofTag] ?? hoursOf(found.locale)[0][0];
  const cycle = hourCycle(options, found.types, preferred, hour12);
  if (ofTag !== cycle) slots.locale = withoutKeyword(slots.locale, "hc");
  const patterns = generator(found.data, preferred);
  slots.pattern =
    slots.dateStyle !== undefined || slots.timeStyle !== undefined
      ? stylePattern(slots, section("dates", found.data), patterns, cycle, CYCLES[ofTag])
      : fieldPattern(asked, patterns, cycle);
  slots.generator = patterns;
  if (/[hHkK]/.test(unquotedFields(slots.pattern))) {
    slots.hourCycle = cycle;
    slots.hour12 = cycle === "h11" || cycle === "h12";
  }
  if (slots.dateStyle === undefined && slots.timeStyle === undefined) tellFields(slots);
  return slots;
}

// A tag without one of its keywords.
function withoutKeyword(tag, key) {
  const kept = [...keywords(tag)].filter(([name]) => name !== key).flatMap(([name, type]) => (type === "" ? [name] : [name, type]));
  const base = withoutExtensions(tag);
  return kept.length > 0 ? `${base}-u-${kept.join("-")}` : base;
}

function checkStyles(slots, asked, required) {
  if (slots.dateStyle === undefined && slots.timeStyle === undefined) return;
  const style = slots.dateStyle === undefined ? "timeStyle" : "dateStyle";
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined) throw new TypeError(`Can't set option ${name} when ${style} is used`);
  if (required === "date" && slots.timeStyle !== undefined) throw new TypeError("Invalid option : timeStyle");
  if (required === "time" && slots.dateStyle !== undefined) throw new TypeError("Invalid option : dateStyle");
}

function addDefaults(slots, asked, required, defaults) {
  if (slots.dateStyle !== undefined || slots.timeStyle !== undefined) return;
  const has = (names) => names.some((name) => asked[name] !== undefined);
  if ((required !== "time" && has(DATE)) || (required !== "date" && has(TIME))) return;
  if (defaults !== "time") asked.year = asked.month = asked.day = "numeric";
  if (defaults !== "date") asked.hour = asked.minute = asked.second = "numeric";
}

const unquotedFields = (pattern) => pieces(pattern).map(({ field }) => field ?? "").join("");

function fieldPattern(asked, patterns, cycle) {
  let skeleton = "";
  for (const [name, letter, values] of FIELDS)
    if (asked[name] !== undefined) skeleton += (letter === "j" ? CYCLES[cycle] : letter).repeat(values[asked[name]]);
  skeleton += "S".repeat(asked.fractionalSecondDigits ?? 0);
  skeleton += ZONES[asked.timeZoneName] ?? "";
  return withHours(patterns.pattern(skeleton), CYCLES[cycle]);
}

// Replaces the letter of the hours of a pattern.
export function withHours(pattern, letter) {
  let result = "";
  for (const { field, text } of pieces(pattern)) {
    if (field === undefined || !"hHkK".includes(field[0])) result += text ?? field;
    else result += (result.endsWith("d") ? " " : "") + letter.repeat(field.length);
  }
  return result;
}

function stylePattern({ dateStyle, timeStyle }, dates, patterns, cycle, ofTag) {
  if (timeStyle === undefined) return dates.date[dateStyle];
  let time = dates.time[timeStyle];
  if (ofTag !== undefined && !pieces(time).some(({ field }) => field?.[0] === ofTag))
    time = withHours(patterns.pattern(skeletonText(time).replace(/[hHkK]+/g, ofTag).replace(/[abB]/g, ""), false), ofTag);
  const pattern = dateStyle === undefined ? time : glue(dates.atTime[dateStyle], dates.date[dateStyle], time);
  if (pieces(pattern).some(({ field }) => field?.[0] === CYCLES[cycle])) return pattern;
  const skeleton = skeletonText(pattern).replace(/[hHkK]/g, CYCLES[cycle]).replace(/[abB]/g, "");
  return withHours(patterns.pattern(skeleton), CYCLES[cycle]);
}

// The fields of a pattern without literals.
export function skeletonText(pattern) {
  return pieces(pattern).map(({ field }) => field ?? "").join("").replace(/L/g, "M").replace(/c/g, "E");
}

const LETTERS = {
  weekday: ["EEEEE narrow", "EEEE long", "EEE short", "ccccc narrow", "cccc long", "ccc short"],
  era: ["GGGGG narrow", "GGGG long", "GGG short"],
  year: ["yy 2-digit", "y numeric"],
  month: ["MMMMM narrow", "MMMM long", "MMM short", "MM 2-digit", "M numeric", "LLLLL narrow", "LLLL long", "LLL short", "LL 2-digit", "L numeric"],
  day: ["dd 2-digit", "d numeric"],
  dayPeriod: ["BBBBB narrow", "bbbbb narrow", "BBBB long", "bbbb long", "B short", "b short"],
  hour: ["HH 2-digit", "H numeric", "hh 2-digit", "h numeric", "kk 2-digit", "k numeric", "KK 2-digit", "K numeric"],
  minute: ["mm 2-digit", "m numeric"],
  second: ["ss 2-digit", "s numeric"],
  timeZoneName: ["zzzz long", "z short", "OOOO longOffset", "O shortOffset", "vvvv longGeneric", "v shortGeneric"],
};

// The fields of a pattern in terms of the options. Node looks for letters in quoted text, too.
function tellFields(slots) {
  const { pattern } = slots;
  for (const [name, entries] of Object.entries(LETTERS)) {
    const found = entries.map((entry) => entry.split(" ")).find(([letters]) => pattern.includes(letters));
    if (found !== undefined) slots[name] = found[1];
  }
  const fraction = /S+/.exec(pattern)?.[0].length;
  if (fraction !== undefined) slots.fractionalSecondDigits = fraction;
}
