// Small games and puzzles, with chance from a seed.
let seed = 12345;
const random = (n) => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0), Math.floor((seed / 2 ** 32) * n));
const shuffle = (list) => {
  for (let i = list.length - 1; i > 0; i--) {
    const j = random(i + 1);
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
};
const deck = shuffle(
  ["♠", "♥", "♦", "♣"].flatMap((suit) => [..."A23456789", "10", ..."JQK"].map((rank) => rank + suit)),
);
console.log(deck.length, new Set(deck).size, deck.slice(0, 5).join(" "));
const lines = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];
const winner = (board) =>
  lines
    .map(([a, b, c]) => board[a] !== " " && board[a] === board[b] && board[b] === board[c] && board[a])
    .find(Boolean);
function minimax(board, player) {
  const won = winner(board);
  if (won) return { score: won === "X" ? 1 : -1 };
  const free = [...board.keys()].filter((i) => board[i] === " ");
  if (!free.length) return { score: 0 };
  const moves = free.map((move) => ({
    move,
    score: minimax(board.with(move, player), player === "X" ? "O" : "X").score,
  }));
  return moves.reduce((best, each) =>
    (player === "X" ? each.score > best.score : each.score < best.score) ? each : best,
  );
}
let board = [..."XO  X  O "];
for (let player = "X"; !winner(board) && board.includes(" "); player = player === "X" ? "O" : "X")
  board = board.with(minimax(board, player).move, player);
console.log(board.join("").match(/.../g).join("\n"), winner(board));
const puzzle = [..."530070000600195000098000060800060003400803001700020006060000280000419005000080079"].map(Number);
function sudoku(cells) {
  let best;
  for (let at = 0; at < 81; at++) {
    if (cells[at]) continue;
    const [row, column] = [Math.floor(at / 9), at % 9];
    const used = new Set(
      cells.filter(
        (_, i) =>
          Math.floor(i / 9) === row ||
          i % 9 === column ||
          (Math.floor(i / 27) === Math.floor(row / 3) && Math.floor((i % 9) / 3) === Math.floor(column / 3)),
      ),
    );
    const options = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((n) => !used.has(n));
    if (!best || options.length < best.options.length) best = { at, options };
    if (options.length === 0) return null;
  }
  if (!best) return cells;
  for (const value of best.options) {
    const solved = sudoku(cells.with(best.at, value));
    if (solved) return solved;
  }
  return null;
}
console.log(sudoku(puzzle).join("").match(/.{9}/g).join("\n"));
const guess = (secret) => {
  let [low, high, tries] = [1, 100, 0];
  for (;;) {
    const middle = (low + high) >> 1;
    tries++;
    if (middle === secret) return tries;
    if (middle < secret) low = middle + 1;
    else high = middle - 1;
  }
};
console.log([1, 50, 73, 100].map(guess));
const score = (frames) => {
  const rolls = frames.flat();
  let at = 0;
  let total = 0;
  for (let frame = 0; frame < 10; frame++) {
    if (rolls[at] === 10) ((total += 10 + rolls[at + 1] + rolls[at + 2]), at++);
    else if (rolls[at] + rolls[at + 1] === 10) ((total += 10 + rolls[at + 2]), (at += 2));
    else ((total += rolls[at] + rolls[at + 1]), (at += 2));
  }
  return total;
};
console.log(
  score([...Array(9).fill([10]), [10, 10, 10]]),
  score(Array(10).fill([3, 4])),
  score([...Array(9).fill([5, 5]), [5, 5, 5]]),
);
const dice = Array.from({ length: 600 }, () => random(6) + 1).reduce(
  (counts, n) => ({ ...counts, [n]: (counts[n] ?? 0) + 1 }),
  {},
);
console.log(
  dice,
  Object.values(dice).reduce((a, b) => a + b),
);
const anagrams = ["eat", "tea", "tan", "ate", "nat", "bat"].reduce((map, word) => {
  const key = [...word].sort().join("");
  return map.set(key, [...(map.get(key) ?? []), word]);
}, new Map());
console.log([...anagrams.values()]);
const knight = (from, to) => {
  let ring = [from];
  const seen = new Set([String(from)]);
  for (let moves = 0; ; moves++) {
    if (ring.some((square) => String(square) === String(to))) return moves;
    ring = ring
      .flatMap(([x, y]) =>
        [
          [1, 2],
          [2, 1],
          [-1, 2],
          [-2, 1],
          [1, -2],
          [2, -1],
          [-1, -2],
          [-2, -1],
        ].map(([dx, dy]) => [x + dx, y + dy]),
      )
      .filter(([x, y]) => x >= 0 && y >= 0 && x < 8 && y < 8 && !seen.has(`${x},${y}`) && seen.add(`${x},${y}`));
  }
};
console.log(knight([0, 0], [7, 7]), knight([0, 0], [1, 1]));
