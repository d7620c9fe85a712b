// The pattern for a skeleton such as `yMMMd`, with the algorithm of ICU's `DateTimePatternGenerator`: the nearest known
// pattern, with the requested widths of fields, and missing fields appended.

import { section } from "./data.js";
import { DAY_PERIOD, FIELDS, FRACTION, HOUR, MINUTE, MONTH, SECOND, WEEKDAY, YEAR, pieces, rowOf, skeletonOf } from "./date_skeletons.js";

const SINGLE = ["G", "y", "Q", "M", "w", "W", "E", "d", "D", "F", "a", "H", "m", "s", "S", "v"];
const STYLES = ["full", "long", "medium", "short"];
const APPEND = [
  "Era", "Year", "Quarter", "Month", "Week", "*", "Day-Of-Week", "Day", "*", "Day", "DayPeriod", "Hour", "Minute", "Second", "*", "Timezone",
];
const EXTRA = 0x10000;
const MISSING = 0x1000;
const DATE_MASK = (1 << DAY_PERIOD) - 1;
const ALL = (1 << FIELDS) - 1;
const SECONDS = (1 << SECOND) | (1 << FRACTION);

const made = new Map();

export function generator(locale, hourLetter) {
  const key = `${locale} ${hourLetter}`;
  if (!made.has(key)) made.set(key, new Generator(section("dates", locale), section("numbers", locale).symbols.decimal, hourLetter));
  return made.get(key);
}

class Generator {
  #entries = [];
  #bases = new Map();
  #skeletons = new Map();

  constructor(dates, point, hourLetter) {
    this.dates = dates;
    this.point = point;
    this.hourLetter = hourLetter;
    for (const letter of SINGLE) this.#add(letter, undefined);
    for (const style of STYLES) this.#add(dates.date[style], undefined);
    for (const style of STYLES) this.#add(dates.time[style], undefined);
    for (const skeleton of Object.keys(dates.available).sort((one, other) => (one < other ? -1 : 1)))
      this.#add(dates.available[skeleton], skeleton);
    // The order of ICU's table: by the first letter, capitals first.
    const bucket = ({ base }) => base.charCodeAt(0);
    this.#entries = this.#entries.map((entry, index) => [entry, index]).sort((one, other) => bucket(one[0].skeleton) - bucket(other[0].skeleton) || one[1] - other[1]).map(([entry]) => entry);
  }

  #add(pattern, given) {
    const skeleton = skeletonOf(given ?? pattern);
    const sameBase = this.#bases.get(skeleton.base);
    if (sameBase !== undefined && !sameBase.given && given === undefined) return;
    const same = this.#skeletons.get(skeleton.key);
    if (same !== undefined) {
      if (given === undefined || same.given) return;
      same.pattern = pattern;
      same.given = true;
      return;
    }
    const entry = { skeleton, pattern, given: given !== undefined };
    this.#entries.push(entry);
    this.#skeletons.set(skeleton.key, entry);
    if (!this.#bases.has(skeleton.base)) this.#bases.set(skeleton.base, entry);
  }

  #nearest(wanted, mask) {
    let best;
    let least = Infinity;
    let leastMissing = -1;
    for (const entry of this.#entries) {
      let distance = 0;
      let missing = 0;
      let extra = 0;
      for (let field = 0; field < FIELDS; field += 1) {
        const mine = mask & (1 << field) ? wanted.types[field] : 0;
        const other = entry.skeleton.types[field];
        if (mine === other) continue;
        if (mine === 0) {
          distance += EXTRA;
          extra |= 1 << field;
        } else if (other === 0) {
          distance += MISSING;
          missing |= 1 << field;
        } else distance += Math.abs(mine - other);
      }
      if (distance < least || (distance === least && leastMissing < missing)) {
        best = { entry, missing, extra };
        least = distance;
        leastMissing = missing;
        if (distance === 0) break;
      }
    }
    return best;
  }

  #adjust(wanted, pattern, entry, fixFraction, matchesHour) {
    let result = "";
    for (const { field, text } of pieces(pattern)) {
      const row = field === undefined ? undefined : rowOf(field);
      if (row === undefined) {
        result += text ?? field;
        continue;
      }
      const at = row.field;
      if (fixFraction && at === SECOND) {
        result += field + this.point + wanted.original[FRACTION];
      } else if (wanted.types[at] !== 0) {
        const asked = wanted.original[at];
        const letter = asked[0];
        const length = letter === "E" && asked.length < 3 ? 3 : asked.length;
        let shown = length;
        if (at === MINUTE || at === SECOND || (at === HOUR && !matchesHour)) shown = field.length;
        else if (entry?.given && letter !== "c" && letter !== "e") {
          const kept = entry.skeleton.original[at].length;
          const isNumeric = row.type > 0;
          const wasNumeric = entry.skeleton.types[at] > 0;
          if (kept === length || isNumeric !== wasNumeric) shown = field.length;
        }
        let drawn = at !== HOUR && at !== MONTH && at !== WEEKDAY && (at !== YEAR || letter === "Y") ? letter : field[0];
        if (drawn === "E" && shown < 3) drawn = "e";
        if (at === HOUR) drawn = this.#hour(letter, drawn);
        result += drawn.repeat(shown);
      } else result += field;
    }
    return result;
  }

  #hour(asked, drawn) {
    const own = this.hourLetter;
    if (asked === own) return own;
    if ((asked === "h" && own === "K") || (asked === "H" && own === "k") || (asked === "k" && own === "H") || (asked === "K" && own === "h")) return own;
    return drawn;
  }

  #appended(wanted, mask, matchesHour) {
    if (mask === 0) return "";
    let found = this.#nearest(wanted, mask);
    let result = this.#adjust(wanted, found.entry.pattern, found.entry, false, matchesHour);
    let { missing } = found;
    let last = 0;
    while (missing !== 0 && missing !== last) {
      if ((missing & SECONDS) === 1 << FRACTION && (mask & SECONDS) === SECONDS) {
        result = this.#adjust(wanted, result, found.entry, true, matchesHour);
        missing &= ~(1 << FRACTION);
        continue;
      }
      const start = missing;
      found = this.#nearest(wanted, missing);
      const more = this.#adjust(wanted, found.entry.pattern, found.entry, false, matchesHour);
      ({ missing } = found);
      const top = 31 - Math.clz32(start & ~missing);
      const item = this.dates.append[APPEND[top]] ?? "{0} ├{2}: {1}┤";
      const name = `'${(this.dates.names[APPEND[top]] ?? "").replaceAll("'", "''")}'`;
      result = item.replace(/\{([012])\}/g, (_, index) => [result, more, name][index]);
      last = start;
    }
    return result;
  }

  // `matchesHour` states that the hour has the requested width, and not that of the known pattern.
  pattern(text, matchesHour = true) {
    const wanted = skeletonOf(text);
    const best = this.#nearest(wanted, ALL);
    if (best.missing === 0 && best.extra === 0) return this.#adjust(wanted, best.entry.pattern, best.entry, false, matchesHour);
    let mask = 0;
    for (let field = 0; field < FIELDS; field += 1) if (wanted.types[field] !== 0) mask |= 1 << field;
    const date = this.#appended(wanted, mask & DATE_MASK, matchesHour);
    const time = this.#appended(wanted, mask & ~DATE_MASK, matchesHour);
    if (date === "" || time === "") return date + time;
    const month = wanted.bases[MONTH].length;
    const style = month === 4 ? (wanted.bases[WEEKDAY] !== "" ? "full" : "long") : month === 3 ? "medium" : "short";
    return glue(this.dates.atTime[style], date, time);
  }
}

// `{1}` is the date, `{0}` the time.
export const glue = (format, date, time) => format.replace(/\{([01])\}/g, (_, index) => (index === "1" ? date : time));
