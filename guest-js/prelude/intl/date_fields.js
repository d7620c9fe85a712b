// The parts of a pattern for a moment.

import { common, section, supplemental } from "./data.js";
import { pieces } from "./date_skeletons.js";
import { genericName, offsetAt, offsetName, specificName } from "./zones.js";

const DAY = 86_400_000;

// The fields of a moment in a zone, in the proleptic Gregorian calendar.
export function fieldsOf(time, zone) {
  const [seconds] = offsetAt(zone, time);
  const local = time + seconds * 1000;
  const days = Math.floor(local / DAY);
  const within = local - days * DAY;
  const date = new Date(days * DAY);
  const year = date.getUTCFullYear();
  return {
    time,
    zone,
    era: year > 0 ? 1 : 0,
    year: year > 0 ? year : 1 - year,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: Math.floor(within / 3_600_000),
    minute: Math.floor(within / 60_000) % 60,
    second: Math.floor(within / 1000) % 60,
    millisecond: Math.floor(within) % 1000,
  };
}

function width(length) {
  return length === 4 ? "wide" : length === 5 ? "narrow" : length === 6 ? "short" : "abbreviated";
}

// The period of the day in the language.
function dayPeriod(locale, fields, length, names, has) {
  const rules = common("periods")[locale.split("-")[0]] ?? [];
  const all = names[width(length)];
  const minute = has.minute ? fields.minute : 0;
  const second = has.second ? fields.second : 0;
  const now = fields.hour * 60;
  if (minute === 0 && second === 0) {
    // ICU has a period for noon, but none for midnight, which belongs to the night.
    const exact = rules.find(([name, from]) => name === "noon" && from === now);
    if (exact !== undefined && all[exact[0]] !== undefined) return all[exact[0]];
  }
  const found = rules.find(([, from, before]) => before !== undefined && (from < before ? now >= from && now < before : now >= from || now < before));
  return (found && all[found[0]]) ?? all[fields.hour < 12 ? "am" : "pm"];
}

const TYPES = {
  G: "era", y: "year", M: "month", L: "month", d: "day", E: "weekday", c: "weekday", e: "weekday", a: "dayPeriod", b: "dayPeriod", B: "dayPeriod",
  h: "hour", H: "hour", k: "hour", K: "hour", m: "minute", s: "second", S: "fractionalSecond", z: "timeZoneName", O: "timeZoneName", v: "timeZoneName",
};

function translate(text, system) {
  if (system === "latn") return text;
  const digits = Array.from(supplemental.digits[system]);
  return text.replace(/\d/g, (digit) => digits[digit]);
}

function field(slots, fields, letter, length, dates, has) {
  const { data: locale, zoneTexts } = slots;
  const padded = (number) => translate(String(number).padStart(length, "0"), slots.numberingSystem);
  const isLong = length === 4;
  switch (letter) {
    case "G":
      return dates.eras[length === 4 ? "eraNames" : length === 5 ? "eraNarrow" : "eraAbbr"][fields.era];
    case "y":
      return length === 2 ? padded(String(fields.year % 100)) : padded(fields.year);
    case "M":
    case "L":
      if (length < 3) return padded(fields.month + 1);
      return dates.months[letter === "M" ? "format" : "stand-alone"][width(length)][fields.month];
    case "d":
      return padded(fields.day);
    case "E":
    case "e":
      return dates.days.format[width(length)][fields.weekday];
    case "c":
      return dates.days["stand-alone"][width(length)][fields.weekday];
    case "a":
      return dates.periods.format[length === 5 ? "narrow" : "abbreviated"][fields.hour < 12 ? "am" : "pm"];
    case "B":
    case "b":
      return dayPeriod(locale, fields, length, dates.periods.format, has);
    case "h":
      return padded(fields.hour % 12 || 12);
    case "K":
      return padded(fields.hour % 12);
    case "H":
      return padded(fields.hour);
    case "k":
      return padded(fields.hour || 24);
    case "m":
      return padded(fields.minute);
    case "s":
      return padded(fields.second);
    case "S":
      return translate(String(fields.millisecond).padStart(3, "0").padEnd(length, "0").slice(0, length), slots.numberingSystem);
    case "z":
      return specificName(locale, fields.zone, fields.time, isLong);
    case "O":
      return offsetName(locale, offsetAt(fields.zone, fields.time)[0], isLong);
    case "v":
      return genericName(locale, fields.zone, fields.time, isLong);
    default:
      return zoneTexts ?? "";
  }
}

export const unquoted = (text) => (text.startsWith("'") ? (text === "''" ? "'" : text.slice(1, -1).replaceAll("''", "'")) : text);

export function patternParts(slots, pattern, fields) {
  const dates = section("dates", slots.data);
  const all = pieces(pattern);
  const has = { minute: all.some(({ field: name }) => name?.[0] === "m"), second: all.some(({ field: name }) => name?.[0] === "s") };
  const result = [];
  for (const { field: name, text } of all) {
    const type = name === undefined ? "literal" : (TYPES[name[0]] ?? "literal");
    const value = name === undefined ? unquoted(text) : field(slots, fields, name[0], name.length, dates, has);
    if (value === "") continue;
    if (type === "literal" && result.at(-1)?.type === "literal") result.at(-1).value += value;
    else result.push({ type, value });
  }
  return result;
}
