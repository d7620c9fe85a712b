// Tables of partial answers.
function levenshtein(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] !== b[j - 1]));
    row = next;
  }
  return row.at(-1);
}
console.log(levenshtein("kitten", "sitting"), levenshtein("", "abc"), levenshtein("same", "same"));
function lcs(a, b) {
  const table = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill(""));
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++)
      table[i][j] =
        a[i - 1] === b[j - 1]
          ? table[i - 1][j - 1] + a[i - 1]
          : table[i - 1][j].length >= table[i][j - 1].length
            ? table[i - 1][j]
            : table[i][j - 1];
  return table[a.length][b.length];
}
console.log(lcs("AGGTAB", "GXTXAYB"), lcs("abcdef", "acf"));
const items = [
  { n: "a", w: 1, v: 1 },
  { n: "b", w: 3, v: 4 },
  { n: "c", w: 4, v: 5 },
  { n: "d", w: 5, v: 7 },
];
const best = Array.from({ length: 8 }, () => ({ value: 0, names: [] }));
for (const { n, w, v } of items)
  for (let room = 7; room >= w; room--)
    if (best[room - w].value + v > best[room].value)
      best[room] = { value: best[room - w].value + v, names: [...best[room - w].names, n] };
console.log(best[7]);
const coins = [1, 5, 12, 25];
const fewest = [0];
for (let amount = 1; amount <= 60; amount++)
  fewest[amount] = 1 + Math.min(...coins.filter((coin) => coin <= amount).map((coin) => fewest[amount - coin]));
console.log(fewest[16], fewest[60], fewest.slice(0, 13).join(" "));
function increasing(list) {
  const lengths = list.map(() => 1);
  for (let i = 0; i < list.length; i++)
    for (let j = 0; j < i; j++) if (list[j] < list[i]) lengths[i] = Math.max(lengths[i], lengths[j] + 1);
  return Math.max(...lengths);
}
console.log(increasing([10, 9, 2, 5, 3, 7, 101, 18]));
const maximum = (list) =>
  list.reduce(({ here, best }, x) => ({ here: Math.max(x, here + x), best: Math.max(best, here + x, x) }), {
    here: 0,
    best: -Infinity,
  }).best;
console.log(maximum([-2, 1, -3, 4, -1, 2, 1, -5, 4]));
const paths = (rows, columns) =>
  Array.from({ length: rows - 1 })
    .reduce((row) => row.reduce((out, value, i) => [...out, value + (out[i - 1] ?? 0)], []), Array(columns).fill(1))
    .at(-1);
console.log(paths(3, 7), paths(10, 10));
const partitions = (n, largest = n, known = new Map()) => {
  if (n === 0) return 1;
  const key = `${n},${largest}`;
  if (!known.has(key))
    known.set(
      key,
      Array.from({ length: Math.min(n, largest) }, (_, i) => partitions(n - i - 1, i + 1, known)).reduce(
        (a, b) => a + b,
        0,
      ),
    );
  return known.get(key);
};
console.log(partitions(5), partitions(30));
function palindrome(text) {
  let best = "";
  for (let centre = 0; centre < text.length; centre++) {
    for (const width of [0, 1]) {
      let [left, right] = [centre, centre + width];
      while (left >= 0 && right < text.length && text[left] === text[right]) (left--, right++);
      if (right - left - 1 > best.length) best = text.slice(left + 1, right);
    }
  }
  return best;
}
console.log(palindrome("forgeeksskeegfor"), palindrome("banana"));
