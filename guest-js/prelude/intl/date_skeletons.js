// Skeletons of dates in the form of ICU's pattern generator: for each field a letter, its width, and a type that
// determines the distance of two fields.

export const ERA = 0;
export const YEAR = 1;
export const MONTH = 3;
export const WEEKDAY = 6;
export const DAY = 9;
export const DAY_PERIOD = 10;
export const HOUR = 11;
export const MINUTE = 12;
export const SECOND = 13;
export const FRACTION = 14;
export const ZONE = 15;
export const FIELDS = 16;

const NARROW = -0x101;
const SHORTER = -0x102;
const SHORT = -0x103;
const LONG = -0x104;
const NUMERIC = 0x100;
const STEP = 0x10;

// Letter, field, type, and minimum width.
const names = (letter, field, by, shortest) => [
  [letter, field, SHORT - by, shortest],
  [letter, field, LONG - by, 4],
  [letter, field, NARROW - by, 5],
];
const ROWS = [
  ...names("G", ERA, 0, 1),
  ["y", YEAR, NUMERIC, 1],
  ["Y", YEAR, NUMERIC + STEP, 1],
  ["u", YEAR, NUMERIC + 2 * STEP, 1],
  ["r", YEAR, NUMERIC + 3 * STEP, 1],
  ["Q", 2, NUMERIC, 1],
  ...names("Q", 2, 0, 3),
  ["q", 2, NUMERIC + STEP, 1],
  ...names("q", 2, STEP, 3),
  ["M", MONTH, NUMERIC, 1],
  ...names("M", MONTH, 0, 3),
  ["L", MONTH, NUMERIC + STEP, 1],
  ...names("L", MONTH, STEP, 3),
  ["w", 4, NUMERIC, 1],
  ["W", 5, NUMERIC, 1],
  ...names("E", WEEKDAY, 0, 1),
  ["E", WEEKDAY, SHORTER, 6],
  ["c", WEEKDAY, NUMERIC + 2 * STEP, 1],
  ...names("c", WEEKDAY, 2 * STEP, 3),
  ["c", WEEKDAY, SHORTER - 2 * STEP, 6],
  ["e", WEEKDAY, NUMERIC + STEP, 1],
  ...names("e", WEEKDAY, STEP, 3),
  ["e", WEEKDAY, SHORTER - STEP, 6],
  ["d", DAY, NUMERIC, 1],
  ["g", DAY, NUMERIC + STEP, 1],
  ["D", 7, NUMERIC, 1],
  ["F", 8, NUMERIC, 1],
  ...names("a", DAY_PERIOD, 0, 1),
  ...names("b", DAY_PERIOD, STEP, 1),
  ...names("B", DAY_PERIOD, 3 * STEP, 1),
  ["H", HOUR, NUMERIC + 10 * STEP, 1],
  ["k", HOUR, NUMERIC + 11 * STEP, 1],
  ["h", HOUR, NUMERIC, 1],
  ["K", HOUR, NUMERIC + STEP, 1],
  ["m", MINUTE, NUMERIC, 1],
  ["s", SECOND, NUMERIC, 1],
  ["A", SECOND, NUMERIC + STEP, 1],
  ["S", FRACTION, NUMERIC, 1],
  ["v", ZONE, SHORT - 2 * STEP, 1],
  ["v", ZONE, LONG - 2 * STEP, 4],
  ["z", ZONE, SHORT, 1],
  ["z", ZONE, LONG, 4],
  ["Z", ZONE, NARROW - STEP, 1],
  ["Z", ZONE, LONG - STEP, 4],
  ["Z", ZONE, SHORT - STEP, 5],
  ["O", ZONE, SHORT - STEP, 1],
  ["O", ZONE, LONG - STEP, 4],
  ["V", ZONE, SHORT - STEP, 1],
  ["V", ZONE, LONG - STEP, 2],
  ["X", ZONE, NARROW - STEP, 1],
  ["x", ZONE, NARROW - STEP, 1],
];
const ROWS_OF = new Map();
for (const row of ROWS) ROWS_OF.set(row[0], [...(ROWS_OF.get(row[0]) ?? []), row]);

// The field of a part of a pattern, or undefined.
export function rowOf(field) {
  const rows = ROWS_OF.get(field[0]);
  if (rows === undefined) return undefined;
  let best = rows[0];
  for (const row of rows.slice(1)) if (row[3] <= field.length) best = row;
  return { letter: best[0], field: best[1], type: best[2], shortest: best[3] };
}

// The parts of a pattern: `{ field }`, `{ text }` (with its quotes).
export function pieces(pattern) {
  const result = [];
  for (const [piece] of pattern.matchAll(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+/g))
    result.push(/^[A-Za-z]/.test(piece) ? { field: piece } : { text: piece });
  return result;
}

// The fields of a skeleton or pattern.
export function skeletonOf(pattern) {
  const types = new Array(FIELDS).fill(0);
  const original = new Array(FIELDS).fill("");
  const base = new Array(FIELDS).fill("");
  const set = (field, text) => {
    const row = rowOf(text);
    original[field] = text;
    base[field] = row.letter.repeat(row.shortest);
    types[field] = row.type > 0 ? row.type + text.length : row.type;
  };
  for (const { field: text } of pieces(pattern)) {
    const row = text === undefined ? undefined : rowOf(text);
    if (row !== undefined) set(row.field, text);
  }
  if (types[MINUTE] !== 0 && types[FRACTION] !== 0 && types[SECOND] === 0) set(SECOND, "s");
  if (original[HOUR] !== "") {
    if ("hK".includes(original[HOUR][0])) {
      if (original[DAY_PERIOD] === "") {
        set(DAY_PERIOD, "a");
        types[DAY_PERIOD] = SHORT;
      }
    } else {
      original[DAY_PERIOD] = base[DAY_PERIOD] = "";
      types[DAY_PERIOD] = 0;
    }
  }
  return { types, original, base: base.join(""), key: original.join("|"), bases: base };
}
