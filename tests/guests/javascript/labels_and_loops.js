// Loops of all kinds, nested and left early.
let out = "";
rows: for (let row = 0; row < 4; row++) {
  columns: for (let column = 0; column < 4; column++) {
    if (column > row) continue rows;
    if (row * column === 6) break rows;
    if (column === 1) continue columns;
    out += `${row}${column} `;
  }
}
console.log(out);
const collected = [];
for (const [index, letter] of [..."abc"].entries()) collected.push(index + letter);
for (const {
  id,
  tags: [first],
} of [{ id: 1, tags: ["x", "y"] }])
  collected.push(id + first);
for (let i = 3; i--;) collected.push(i);
for (var key in { p: 1, q: 2 }) collected.push(key);
console.log(collected.join(" "), key);
let i = 0;
do {
  i += 2;
  if (i === 4) continue;
  if (i > 7) break;
} while (i < 100);
console.log(i);
const primes = [];
candidate: for (let n = 2; primes.length < 12; n++) {
  for (const prime of primes) if (n % prime === 0) continue candidate;
  primes.push(n);
}
console.log(primes.join());
const matrix = [
  [1, 2],
  [3, 4],
  [5, 6],
];
let found;
search: for (const [y, row] of matrix.entries())
  for (const [x, value] of row.entries())
    if (value === 4) {
      found = [x, y];
      break search;
    }
console.log(found);
const results = [];
for (const value of (function* () {
  try {
    yield 1;
    yield 2;
    yield 3;
  } finally {
    results.push("closed");
  }
})()) {
  if (value === 2) break;
  results.push(value);
}
console.log(results);
const functions = [];
for (let n = 0; n < 3; n++) {
  functions.push(() => n);
  n += 0;
}
console.log(functions.map((f) => f()));
for (let a = 0, b = 10, step = 3; a < b; [a, b] = [a + step, b - step]) console.log(a, b);
for (const nothing of []) console.log("never");
for (const character of "né😀") console.log(character);
[1, 2, 3].forEach((value, index, all) => {
  if (index === 1) return;
  console.log(value, all.length);
});
console.log(
  [1, 2, 3, 4].some((value) => {
    console.log("visit", value);
    return value === 2;
  }),
);
outer: while (true) {
  switch (i++) {
    case 8:
      continue outer;
    case 9:
      break;
    default:
      break outer;
  }
  console.log("after switch", i);
}
console.log(Array.from({ length: 3 }, (_, row) => "*".repeat(row + 1).padStart(3)).join("\n"));
