// The difference of two values that should be equal: their lines, and which of them differ.

import { inspect } from "isolette:prelude";

const MOST_CELLS = 4e6;

const OPTIONS = {
  compact: false,
  customInspect: false,
  depth: 1000,
  maxArrayLength: Infinity,
  showHidden: false,
  showProxy: false,
  sorted: true,
  getters: true,
  breakLength: Infinity,
};

export const shown = (value) => inspect(value, OPTIONS);

// Pairs of a mark (`+` of the first, `-` of the second) and a line: a longest common subsequence, unless the values are
// too large.
function compared(left, right) {
  let start = 0;
  while (start < left.length && start < right.length && same(left[start], right[start])) start += 1;
  let end = 0;
  const rest = Math.min(left.length, right.length) - start;
  while (end < rest && same(left[left.length - 1 - end], right[right.length - 1 - end])) end += 1;
  const inner = middle(left.slice(start, left.length - end), right.slice(start, right.length - end));
  return [
    ...left.slice(0, start).map((line, index) => [" ", longer(line, right[index])]),
    ...inner,
    ...left.slice(left.length - end).map((line) => [" ", line]),
  ];
}

// A following comma is not a difference.
const same = (left, right) => left === right || `${left},` === right || left === `${right},`;

const longer = (left, right) => (left.length >= right.length ? left : right);

function middle(left, right) {
  const all = [...left.map((line) => ["+", line]), ...right.map((line) => ["-", line])];
  if (left.length === 0 || right.length === 0 || left.length * right.length > MOST_CELLS) return all;
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] = same(left[row], right[column])
        ? lengths[(row + 1) * width + column + 1] + 1
        : Math.max(lengths[(row + 1) * width + column], lengths[row * width + column + 1]);
    }
  }
  const lines = [];
  let [row, column] = [0, 0];
  while (row < left.length || column < right.length) {
    if (row < left.length && column < right.length && same(left[row], right[column])) {
      lines.push([" ", longer(left[row], right[column])]);
      row += 1;
      column += 1;
    } else if (
      row < left.length &&
      (column >= right.length || lengths[(row + 1) * width + column] >= lengths[row * width + column + 1])
    ) {
      lines.push(["+", left[row]]);
      row += 1;
    } else {
      lines.push(["-", right[column]]);
      column += 1;
    }
  }
  return lines;
}

// Long sequences of equal lines are omitted.
function shortened(lines) {
  const kept = [];
  let skipped = false;
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && (lines[end][0] === " ") === (lines[at][0] === " ")) end += 1;
    const run = lines.slice(at, end).map(([mark, line]) => `${mark} ${line}`);
    const isLast = end === lines.length;
    const [first, last] = isLast ? [1, 3] : [2, 2];
    if (lines[at][0] === " " && run.length > (isLast ? 4 : 5)) {
      skipped = true;
      kept.push(...run.slice(0, first), "...", ...run.slice(-last));
    } else {
      kept.push(...run);
    }
    at = end;
  }
  return [kept, skipped];
}

const isShort = (value) => typeof value !== "object" && typeof value !== "function" && value !== undefined;

// The message of an assertion that two values are equal.
export function difference(actual, expected, headline) {
  const [left, right] = [shown(actual), shown(expected)];
  const [leftLines, rightLines] = [left.split("\n"), right.split("\n")];
  if (leftLines.length === 1 && rightLines.length === 1) {
    const isZero = actual === 0 && expected === 0;
    if (left.length + right.length <= 12 && isShort(actual) && isShort(expected) && !isZero) {
      return `${headline}\n\n${left} !== ${right}\n`;
    }
    let pointer = "";
    if (left.length < 80) {
      let at = 0;
      while (at < left.length && left[at] === right[at]) at += 1;
      if (at > 2) pointer = `\n${" ".repeat(at + 2)}^`;
    }
    return `${headline}\n+ actual - expected\n\n+ ${left}\n- ${right}${pointer}`;
  }
  const [lines, skipped] = shortened(compared(leftLines, rightLines));
  return `${headline}\n+ actual - expected${skipped ? " ... Lines skipped" : ""}\n\n${lines.join("\n")}`;
}
