// Matrices and geometry.
const multiply = (a, b) =>
  a.map((row) => b[0].map((_, column) => row.reduce((sum, value, k) => sum + value * b[k][column], 0)));
const transpose = (m) => m[0].map((_, column) => m.map((row) => row[column]));
const identity = (n) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => +(i === j)));
const a = [
  [1, 2, 3],
  [4, 5, 6],
];
console.log(multiply(a, transpose(a)), transpose(a), identity(3));
const determinant = (m) =>
  m.length === 1
    ? m[0][0]
    : m[0].reduce(
        (sum, value, column) =>
          sum + (column % 2 ? -1 : 1) * value * determinant(m.slice(1).map((row) => row.toSpliced(column, 1))),
        0,
      );
console.log(
  determinant([
    [2, 0, 1],
    [1, 3, 2],
    [1, 1, 1],
  ]),
  determinant([
    [1, 2],
    [3, 4],
  ]),
);
function inverse(matrix) {
  const n = matrix.length;
  const work = matrix.map((row, i) => [...row, ...identity(n)[i]]);
  for (let column = 0; column < n; column++) {
    const pivot = work.findIndex((row, i) => i >= column && row[column] !== 0);
    if (pivot < 0) throw new Error("singular");
    [work[column], work[pivot]] = [work[pivot], work[column]];
    work[column] = work[column].map((value) => value / work[column][column]);
    for (let row = 0; row < n; row++)
      if (row !== column) work[row] = work[row].map((value, k) => value - work[row][column] * work[column][k]);
  }
  return work.map((row) => row.slice(n));
}
console.log(
  inverse([
    [4, 7],
    [2, 6],
  ]).map((row) => row.map((x) => +x.toFixed(3))),
);
try {
  inverse([
    [1, 2],
    [2, 4],
  ]);
} catch (error) {
  console.log(error.message);
}
const power = (m, n) =>
  n === 0 ? identity(m.length) : n % 2 ? multiply(m, power(m, n - 1)) : power(multiply(m, m), n / 2);
console.log(
  power(
    [
      [1, 1],
      [1, 0],
    ],
    50,
  )[0][1],
);
const rotate = (m) => m[0].map((_, column) => m.map((row) => row[column]).reverse());
console.log(
  rotate([
    [1, 2, 3],
    [4, 5, 6],
  ]),
  rotate(
    rotate([
      [1, 2],
      [3, 4],
    ]),
  ),
);
function spiral(m) {
  const out = [];
  for (let left = m.map((row) => [...row]); left.length; left = transposeSafe(left.slice(1)).reverse())
    out.push(...left[0]);
  return out;
}
const transposeSafe = (m) => (m.length && m[0].length ? transpose(m) : []);
console.log(
  spiral([
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ]),
);
const life = (grid) =>
  grid.map((row, y) =>
    row.map((cell, x) => {
      const near = [-1, 0, 1]
        .flatMap((dy) => [-1, 0, 1].map((dx) => (dx || dy ? (grid[y + dy]?.[x + dx] ?? 0) : 0)))
        .reduce((p, q) => p + q);
      return +(near === 3 || (cell && near === 2));
    }),
  );
let grid = ["00000", "00100", "00100", "00100", "00000"].map((row) => [...row].map(Number));
for (let step = 0; step < 3; step++) grid = life(grid);
console.log(grid.map((row) => row.join("")).join("/"));
const points = [
  [0, 0],
  [4, 0],
  [4, 3],
  [0, 3],
];
const area = (polygon) =>
  Math.abs(
    polygon.reduce((sum, [x, y], i) => {
      const [nx, ny] = polygon[(i + 1) % polygon.length];
      return sum + x * ny - nx * y;
    }, 0),
  ) / 2;
console.log(area(points), Math.hypot(3, 4), (Math.atan2(1, 1) * 180) / Math.PI);
const mandelbrot = (cx, cy) => {
  let [x, y, n] = [0, 0, 0];
  while (x * x + y * y < 4 && n < 30) [x, y, n] = [x * x - y * y + cx, 2 * x * y + cy, n + 1];
  return n;
};
for (let y = -1; y <= 1; y += 0.5)
  console.log(Array.from({ length: 24 }, (_, i) => (mandelbrot(-2 + i / 8, y) === 30 ? "#" : ".")).join(""));
