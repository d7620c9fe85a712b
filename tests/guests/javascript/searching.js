// Searching: binary, in text, on graphs.
function binary(list, wanted) {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (list[middle] === wanted) return middle;
    if (list[middle] < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return ~low;
}
const sorted = [1, 3, 5, 7, 9, 11];
console.log([7, 1, 11, 4, 12, 0].map((wanted) => binary(sorted, wanted)));
function occurrences(text, part) {
  const found = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at);
  return found;
}
console.log(occurrences("abababa", "aba"));
function kmp(text, pattern) {
  const fail = [0];
  for (let i = 1, k = 0; i < pattern.length; i++) {
    while (k && pattern[k] !== pattern[i]) k = fail[k - 1];
    fail[i] = pattern[k] === pattern[i] ? ++k : k;
  }
  const found = [];
  for (let i = 0, k = 0; i < text.length; i++) {
    while (k && pattern[k] !== text[i]) k = fail[k - 1];
    if (pattern[k] === text[i]) k++;
    if (k === pattern.length) {
      found.push(i - k + 1);
      k = fail[k - 1];
    }
  }
  return found;
}
console.log(kmp("aabaacaadaabaaba", "aaba"));
const graph = { a: ["b", "c"], b: ["d"], c: ["d", "e"], d: ["f"], e: ["f"], f: [] };
function shortest(from, to) {
  const queue = [[from]];
  const seen = new Set([from]);
  for (const path of queue) {
    const last = path.at(-1);
    if (last === to) return path;
    for (const next of graph[last]) if (!seen.has(next)) seen.add(next) && queue.push([...path, next]);
  }
}
const allPaths = (from, to) =>
  from === to ? [[to]] : graph[from].flatMap((next) => allPaths(next, to).map((path) => [from, ...path]));
console.log(shortest("a", "f"), allPaths("a", "f"));
const maze = ["S.#.", "..#.", "#...", "..#E"].map((row) => [...row]);
function solve(row, column, steps = 0, visited = new Set()) {
  const key = `${row},${column}`;
  const cell = maze[row]?.[column];
  if (cell === undefined || cell === "#" || visited.has(key)) return Infinity;
  if (cell === "E") return steps;
  const here = new Set(visited).add(key);
  return Math.min(
    ...[
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
    ].map(([dr, dc]) => solve(row + dr, column + dc, steps + 1, here)),
  );
}
console.log(solve(0, 0));
