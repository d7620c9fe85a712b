// Math.
const near = (value) => Number(value.toFixed(10));
console.log(Math.PI, Math.E, Math.LN2, Math.LN10, Math.LOG2E, Math.LOG10E, Math.SQRT2, Math.SQRT1_2);
console.log(
  [-1.5, -0.5, -0, 0.5, 1.5, 2.5].map(Math.round),
  [-1.5, 1.5].map(Math.ceil),
  [-1.5, 1.5].map(Math.floor),
  [-1.5, 1.5].map(Math.trunc),
);
console.log(
  [0, 1, 2].map(Math.sin).map(near),
  [0, 1].map(Math.cos).map(near),
  near(Math.tan(1)),
  near(Math.asin(1)),
  near(Math.acos(0)),
  near(Math.atan(1)),
  near(Math.sinh(1)),
  near(Math.cosh(1)),
  near(Math.tanh(1)),
  near(Math.asinh(1)),
  near(Math.acosh(2)),
  near(Math.atanh(0.5)),
);
console.log(
  near(Math.exp(1)),
  near(Math.log(10)),
  Math.log(0),
  Math.log(-1),
  Math.log2(1024),
  Math.log10(0.001),
  near(Math.pow(2, 0.5)),
  Math.pow(0, 0),
  Math.pow(NaN, 0),
  (-8) ** (1 / 3),
);
console.log(
  Math.sign(-0),
  Math.sign("-3"),
  Math.abs("-5"),
  Math.abs(null),
  Math.max(1, "2", [3]),
  Math.min(),
  Math.max(NaN, 1),
  Math.hypot(),
  Math.hypot(3, 4, 12),
  Math.cbrt(-27),
);
console.log(
  Math.fround(0.1),
  Math.clz32(0),
  Math.clz32(0xffffffff),
  Math.imul(0xffffffff, 5),
  Math.sqrt(-1),
  5 % 0,
  -5 % 5,
  Math.atan2(-0, -1),
  Math.round(-0.4),
);
console.log(
  [1.005, 2.345, 1e21, -1.5].map((value) => value.toFixed(2)),
  (0.000001).toString(),
  (1e-7).toString(),
  (123.456).toPrecision(2),
  (0).toExponential(),
  1e300 * 1e10,
);
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
const lerp = (a, b, t) => a + (b - a) * t;
const roundTo = (value, digits) => Math.round((value + Number.EPSILON) * 10 ** digits) / 10 ** digits;
console.log(
  clamp(15, 0, 10),
  lerp(0, 10, 0.25),
  roundTo(1.005, 2),
  roundTo(2.5, 0),
  (Math.PI * 2 ** 2).toFixed(4),
  ((180 / Math.PI) * Math.atan(1)).toFixed(1),
);
console.log(
  Number((0.1 + 0.2).toFixed(10)) === 0.3,
  0.1 * 3,
  1 - 0.9,
  4.35 * 100,
  1.1 + 2.2,
  (9.95).toFixed(1),
  (1.45).toFixed(1),
  1e16 + 1,
  2 ** 53 === 2 ** 53 + 1,
);
console.log(
  [10, 1, 3].sort(),
  [10, 1, 3].sort((a, b) => a - b),
  [3, 1, 2].reduce((a, b) => Math.max(a, b)),
  Math.max.apply(null, [1, 5, 3]),
  Math.floor(7 / 2),
  (7 / 2) | 0,
  Math.floor(-7 / 2),
  (-7 / 2) | 0,
);
const integrate = (f, from, to, steps = 1000) =>
  Array.from({ length: steps }, (_, i) => f(from + ((i + 0.5) * (to - from)) / steps)).reduce((a, b) => a + b) *
  ((to - from) / steps);
console.log(integrate((x) => x * x, 0, 3).toFixed(4), integrate(Math.sin, 0, Math.PI).toFixed(4));
const newton = (f, df, x, steps = 20) => {
  while (steps--) x -= f(x) / df(x);
  return x;
};
console.log(
  newton(
    (x) => x * x - 2,
    (x) => 2 * x,
    1,
  ).toFixed(12),
  newton(
    (x) => x ** 3 - x - 2,
    (x) => 3 * x * x - 1,
    1.5,
  ).toFixed(8),
);
