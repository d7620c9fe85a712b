// Ranges of dates, with the algorithm of ICU's `DateIntervalFormat`: the pattern for the largest field that differs.

import { section } from "./data.js";
import { fieldsOf, patternParts } from "./date_fields.js";
import { glue } from "./date_generator.js";
import { pieces } from "./date_skeletons.js";
import { withHours } from "./date_options.js";

const LETTERS = { era: "G", year: "y", month: "M", day: "d", period: "a", hour: "h", minute: "m", second: "s", millisecond: "S" };
const ORDER = Object.keys(LETTERS);
// The rank of a letter from coarse to fine.
const LEVEL = { G: 0, y: 1, M: 2, L: 2, E: 3, c: 3, d: 3, a: 4, h: 5, H: 5, k: 5, K: 5, m: 6, s: 7, S: 8 };
const FINENESS = { era: 0, year: 1, month: 2, day: 3, period: 4, hour: 5, minute: 6, second: 7, millisecond: 8 };

const DATES = "GyMLEcd";

const widths = (skeleton) => {
  const result = {};
  for (const letter of skeleton) result[letter] = (result[letter] ?? 0) + 1;
  return result;
};
const repeated = (letter, count) => letter.repeat(Math.max(0, count));

// The date and the time of a skeleton, in the form of the keys of ranges.
function split(skeleton) {
  const count = widths(skeleton);
  const has = (letter) => count[letter] ?? 0;
  const date = Array.from(skeleton).filter((letter) => DATES.includes(letter)).join("");
  const time = Array.from(skeleton).filter((letter) => !DATES.includes(letter)).join("");
  const shortMonth = has("M") === 0 ? "" : has("M") < 3 ? "M" : repeated("M", Math.min(5, has("M")));
  const shortDay = has("E") === 0 ? "" : has("E") <= 3 ? "E" : repeated("E", Math.min(5, has("E")));
  const hour = ["H", "h", "k", "K"].find(has);
  return {
    date,
    time,
    plainDate: repeated("G", has("G")) + repeated("L", has("L")) + repeated("c", has("c")) + repeated("y", has("y")) + shortMonth + shortDay + (has("d") ? "d" : ""),
    plainTime:
      Array.from(time).filter((letter) => "bBsSOV".includes(letter)).join("") +
      (hour ?? "") + (has("m") ? "m" : "") + (has("z") ? "z" : "") + (has("v") ? "v" : ""),
  };
}

// The nearest known skeleton, and its distance: 0 equal, 1 other widths, 2 another kind of zone, -1 other fields.
function nearest(intervals, skeleton) {
  const plain = skeleton.replace(/z/g, "v").replace(/k/g, "H").replace(/K/g, "h").replace(/[ab]/g, "");
  const wanted = widths(plain);
  let best;
  let least = Infinity;
  let difference = -1;
  for (const known of Object.keys(intervals)) {
    const widthsOfKnown = widths(known);
    let distance = 0;
    let kind = 1;
    for (const letter of new Set([...plain, ...known])) {
      const [mine, other] = [wanted[letter] ?? 0, widthsOfKnown[letter] ?? 0];
      if (mine === other) continue;
      if (mine === 0 || other === 0) {
        kind = -1;
        distance += 0x1000;
      } else if (letter === "M" && ((mine <= 2 && other > 2) || (mine > 2 && other <= 2))) distance += 0x100;
      else distance += Math.abs(mine - other);
    }
    if (distance < least) {
      best = known;
      least = distance;
      difference = kind;
    }
    if (distance === 0) {
      difference = 0;
      break;
    }
  }
  // No known skeleton has a time of day and a zone.
  if (difference === -1 && plain.includes("B")) ({ best, difference } = nearest(intervals, plain.replace(/B/g, "")));
  if ((plain !== skeleton || (plain.includes("B") && !best.includes("B"))) && difference !== -1) difference = 2;
  return { best, difference };
}

function adjusted(pattern, skeleton, best, difference) {
  if (difference === 0) return pattern;
  const wanted = widths(skeleton);
  const known = widths(best);
  return pieces(pattern)
    .map(({ field, text }) => {
      if (field === undefined) return text;
      let letter = field[0];
      const key = letter === "L" ? "M" : letter === "c" ? "E" : letter;
      let size = field.length;
      const [mine, other] = [wanted[key] ?? 0, known[key] ?? 0];
      if (difference === 2) {
        if (letter === "v" && wanted.z) return repeated("z", wanted.z);
        if (letter === "a" && wanted.B) letter = "B";
        if (letter === "h" && wanted.K) letter = "K";
        if (letter === "H" && wanted.k) letter = "k";
      }
      if (other === size && mine > other) size = mine;
      return letter.repeat(size);
    })
    .join("");
}

// The first moment of an interval pattern ends where a field is repeated.
function halves(pattern) {
  const seen = new Set();
  let first = "";
  let second = "";
  for (const { field, text } of pieces(pattern)) {
    const letter = field === undefined ? undefined : field[0] === "L" ? "M" : field[0] === "c" ? "E" : field[0];
    if (second === "" && letter !== undefined && !seen.has(letter)) {
      seen.add(letter);
      first += field;
    } else if (second === "" && letter === undefined) first += text;
    else second += text ?? field;
  }
  return [first, second];
}

const isIgnored = (skeleton, name) =>
  Math.max(...Array.from(skeleton, (letter) => LEVEL[letter] ?? -1)) < FINENESS[name];

// For each field the pattern if it is the largest that differs: `{ interval }` or `{ whole }`. ICU looks up how the
// locale formats an hour alone: with another letter, or with the period of the day.
function withPreferredHours(slots, skeleton) {
  const hour = /[hHkK]/.exec(skeleton)?.[0];
  if (hour === undefined) return skeleton;
  const own = pieces(slots.generator.pattern(hour)).map(({ field }) => field ?? "").join("");
  const letter = hour === "h" ? (/[hKk]/.exec(own)?.[0] ?? "H") : hour;
  const period = "hK".includes(letter) && !/[bB]/.test(skeleton) ? (/[bB]/.exec(own)?.[0] ?? "") : "";
  return period + skeleton.replace(/[hHkK]/g, letter);
}

function makePatterns(slots) {
  const dates = section("dates", slots.data);
  const { intervals } = dates;
  const skeleton = withPreferredHours(slots, pieces(slots.pattern).map(({ field }) => field ?? "").join("").replace(/[aO]/g, ""));
  const hour = /[hHkK]/.exec(skeleton)?.[0];
  const own = (text) => (hour === undefined ? text : withHours(text, hour));
  const best = (text) => own(slots.generator.pattern(text, false));
  const { date, time, plainDate, plainTime } = split(skeleton);
  const patterns = {};
  const format = dates.glue.medium;
  const whole = best(skeleton);
  const parts = { date: date && best(plainDate), time: time && best(plainTime), format, whole };
  const look = (name, text, known, difference) => {
    const letters = name === "hour" ? ["h", "H"] : name === "period" ? ["a", "B"] : [LETTERS[name]];
    const pattern = letters.map((letter) => intervals[known]?.[letter]).find((value) => value !== undefined);
    return pattern === undefined ? undefined : { interval: adjusted(pattern, text, known, difference) };
  };
  const found = nearest(intervals, plainTime !== "" ? plainTime : plainDate);
  const wholes = (start, names) => {
    let text = start;
    for (const name of names) patterns[name] = { whole: best((text = name === "era" ? `G${text}` : text)) };
  };
  if (found.difference === -1) {
    if (time !== "" && date === "") wholes(`yMd${time}`, ["day", "month", "year", "era"]);
    return { patterns, parts, skeleton };
  }
  if (time === "") {
    let text = plainDate;
    let known = found.best;
    let { difference } = found;
    for (const name of ["day", "month", "year", "era"]) {
      let pattern = look(name, text, known, difference);
      if (pattern === undefined && !isIgnored(known, name) && name !== "day") {
        const letter = LETTERS[name];
        const [longer, longerKnown] = [letter + text, letter + known];
        pattern = look(name, longer, longerKnown, difference);
        if (pattern === undefined && difference === 0) {
          const again = nearest(intervals, longerKnown);
          if (again.difference !== -1) {
            pattern = look(name, longer, again.best, again.difference);
            ({ difference } = again);
          }
        }
        if (pattern !== undefined && name === "month") [text, known] = [longer, longerKnown];
      }
      if (pattern !== undefined) patterns[name] = pattern;
    }
    return { patterns, parts, skeleton };
  }
  for (const name of ["minute", "hour", "period"]) {
    const pattern = look(name, plainTime, found.best, found.difference) ?? (name === "period" && !isIgnored(found.best, name) ? look("hour", plainTime, found.best, found.difference) : undefined);
    if (pattern !== undefined) patterns[name] = pattern;
  }
  if (date === "") wholes(`yMd${time}`, ["day", "month", "year", "era"]);
  else {
    let text = skeleton;
    for (const name of ["day", "month", "year", "era"]) {
      if (date.includes(LETTERS[name])) continue;
      text = LETTERS[name] + text;
      patterns[name] = { whole: best(text) };
    }
    for (const name of ["period", "hour", "minute"])
      if (patterns[name] !== undefined) patterns[name] = { interval: glue(format, parts.date, patterns[name].interval) };
  }
  return { patterns, parts, skeleton };
}

function largestDifference(one, other) {
  const period = (fields) => (fields.hour < 12 ? 0 : 1);
  for (const name of ORDER) {
    const differs = name === "period" ? period(one) !== period(other) : one[name] !== other[name];
    if (differs) return name;
  }
  return undefined;
}

const from = (parts, source) => parts.map((part) => ({ ...part, source }));

export function rangeParts(slots, start, end) {
  const [one, other] = [fieldsOf(start, slots.timeZone), fieldsOf(end, slots.timeZone)];
  const single = () => from(patternParts(slots, slots.pattern, one), "shared");
  const name = largestDifference(one, other);
  if (name === undefined) return single();
  slots.ranges ??= makePatterns(slots);
  const { patterns, parts, skeleton } = slots.ranges;
  const found = patterns[name];
  const { fallback } = section("dates", slots.data);
  const both = (pattern) => {
    const [before, between, after] = fallback.split(/\{[01]\}/);
    const literal = (value) => (value ? [{ type: "literal", value, source: "shared" }] : []);
    return [
      ...literal(before),
      ...from(patternParts(slots, pattern, one), "startRange"),
      ...literal(between),
      ...from(patternParts(slots, pattern, other), "endRange"),
      ...literal(after),
    ];
  };
  if (found?.interval !== undefined) {
    const [first, second] = halves(found.interval);
    return [...from(patternParts(slots, first, one), "startRange"), ...from(patternParts(slots, second, other), "endRange")];
  }
  if (found?.whole !== undefined) return both(found.whole);
  if (isIgnored(skeleton, name)) return single();
  const sameDay = FINENESS[name] > FINENESS.day;
  if (!sameDay || parts.date === "" || parts.time === "") return both(parts.whole);
  return pieces(parts.format).length === 0 ? [] : dateAndTimes(slots, parts, one, both);
}

function dateAndTimes(slots, parts, one, both) {
  return parts.format.split(/(\{[01]\})/).flatMap((piece) => {
    if (piece === "{0}") return both(parts.time);
    if (piece === "{1}") return from(patternParts(slots, parts.date, one), "shared");
    const value = piece.replaceAll("'", "");
    return value === "" ? [] : [{ type: "literal", value, source: "shared" }];
  });
}
