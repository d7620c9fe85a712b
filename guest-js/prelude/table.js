// `console.table`: rows and columns in a frame.

import { inspect } from "./inspect.js";

const INDEX = "(index)";
const ITERATION_INDEX = "(iteration index)";
const VALUES = "Values";

const shown = (value) =>
  inspect(value, { depth: typeof value === "object" && value !== null ? 0 : 2, breakLength: Infinity });
const isPrimitive = (value) => value === null || (typeof value !== "object" && typeof value !== "function");

// The number of terminal columns of a text: wide characters take two.
function width(text) {
  let columns = 0;
  for (const character of text.normalize("NFC")) {
    const code = character.codePointAt(0);
    const wide =
      (code >= 0x1100 && code <= 0x115f) ||
      (code >= 0x2e80 && code <= 0xa4cf) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xf900 && code <= 0xfaff) ||
      (code >= 0xfe30 && code <= 0xfe6f) ||
      (code >= 0xff00 && code <= 0xff60) ||
      (code >= 0xffe0 && code <= 0xffe6) ||
      (code >= 0x1f300 && code <= 0x1faff) ||
      (code >= 0x20000 && code <= 0x3fffd);
    columns += /\p{Mn}|\p{Cc}|\u200b|\u200d/u.test(character) ? 0 : wide ? 2 : 1;
  }
  return columns;
}

function render(head, rows) {
  const widths = head.map((title, column) => Math.max(width(title), ...rows.map((row) => width(row[column]))) + 2);
  const line = (left, middle, right) => left + widths.map((columns) => "─".repeat(columns)).join(middle) + right;
  const row = (cells) =>
    `│${cells.map((cell, column) => ` ${cell}${" ".repeat(widths[column] - width(cell) - 1)}`).join("│")}│`;
  return [line("┌", "┬", "┐"), row(head), line("├", "┼", "┤"), ...rows.map(row), line("└", "┴", "┘")].join("\n");
}

// The rows as pairs of the first column and the value.
function entries(data) {
  if (data instanceof Map)
    return {
      title: ITERATION_INDEX,
      rows: [...data].map(([key, value], index) => [index, { Key: key, Values: value }]),
    };
  if (data instanceof Set) return { title: ITERATION_INDEX, rows: [...data].map((value, index) => [index, value]) };
  return { title: INDEX, rows: Object.keys(data).map((key) => [key, data[key]]) };
}

// The frame, or undefined if the data has no rows and columns.
export function table(data, chosen) {
  if (isPrimitive(data)) return undefined;
  const { title, rows } = entries(data);
  const columns = chosen === undefined ? [] : chosen.map(String);
  let values = false;
  for (const [, row] of rows) {
    if (isPrimitive(row)) values = true;
    else if (chosen === undefined) for (const key of Object.keys(row)) if (!columns.includes(key)) columns.push(key);
  }
  const cells = rows.map(([index, row]) => {
    const line = [String(index)];
    for (const column of columns) line.push(!isPrimitive(row) && Object.hasOwn(row, column) ? shown(row[column]) : "");
    if (values) line.push(isPrimitive(row) ? shown(row) : "");
    return line;
  });
  return render([title, ...columns, ...(values ? [VALUES] : [])], cells);
}
