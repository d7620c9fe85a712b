// Numbers: forms, limits, formatting.
console.log(0b101, 0o17, 0xff, 1_000_000, 1e3, 0.5, 5, 0.1 + 0.2, 1 / 3, -0, 1 / -0);
console.log(Number.MAX_SAFE_INTEGER, Number.EPSILON > 0, Number.MIN_VALUE, Number.MAX_VALUE, 2 ** 53 + 1);
console.log(
  (1234.5678).toFixed(2),
  (0.000001234).toString(),
  (1e21).toString(),
  (123.456).toPrecision(4),
  (12345).toExponential(2),
  (255).toString(16),
  (-255).toString(2),
  (0.5).toString(2),
);
console.log(
  parseInt("42px"),
  parseInt("0x1f"),
  parseInt("101", 2),
  parseInt(""),
  parseFloat("3.14abc"),
  parseFloat(".5e-2"),
  Number(""),
  Number(" 12 "),
  Number("12px"),
  Number(null),
  Number(undefined),
  Number([5]),
  Number("0b11"),
  Number(true),
);
console.log(
  Number.isInteger(5.0),
  Number.isSafeInteger(2 ** 53),
  Number.isNaN("x"),
  isNaN("x"),
  isFinite("5"),
  Number.isFinite("5"),
);
console.log(NaN === NaN, [NaN].includes(NaN), [NaN].indexOf(NaN), Object.is(-0, 0), -0 === 0);
console.log(7 % 3, -7 % 3, 7 % -3, 5.5 % 2, 2 ** 10, 2 ** -1, (-2) ** 3, 0 / 0, 1 / 0, -1 / 0);
console.log(
  5 & 3,
  5 | 3,
  5 ^ 3,
  ~5,
  5 << 2,
  -5 >> 1,
  -5 >>> 28,
  1 << 31,
  (2 ** 32) >> 0,
  (2 ** 32) >>> 0,
  1.9 | 0,
  -1.9 | 0,
);
console.log(
  Math.round(2.5),
  Math.round(-2.5),
  Math.round(0.49999999999999994),
  Math.trunc(-4.7),
  Math.sign(-3),
  Math.cbrt(27),
  Math.hypot(3, 4),
  Math.log2(8),
  Math.log10(1000),
  Math.fround(5.5),
  Math.clz32(1),
  Math.imul(3, 4),
  Math.expm1(0),
  Math.log1p(0),
  Math.atan2(1, 1).toFixed(4),
);
console.log(
  Math.max(),
  Math.min(),
  Math.max(1, NaN),
  Math.max(1, "3"),
  Math.abs(-5),
  Math.floor(-0.5),
  Math.ceil(-0.5),
  Math.sqrt(2),
);
console.log(
  (25).toString(36),
  parseInt("zz", 36),
  (0.1).toFixed(20),
  (1.005).toFixed(2),
  (1e-7).toFixed(10),
  0.1 * 3,
  9007199254740993,
  1e-7,
  123456789012345680000,
  1.7976931348623157e308,
);
let n = 5;
console.log(n++, ++n, n--, --n, (n += 2), (n **= 2), (n %= 10), (n <<= 1), (n ||= 7), (n &&= 8), (n ??= 9));
try {
  (1).toFixed(101);
} catch (error) {
  console.log(error.name);
}
console.log(
  "5" * "2",
  "5" + 2,
  5 + +"2",
  "5" - 2,
  true + true,
  [] + [],
  [] + {},
  null + 1,
  undefined + 1,
  "b" + "a" + +"a" + "a",
);
console.log((1234567.891).toString().replace(/\B(?=(\d{3})+(?!\d))/, ","), (1).toString(), (5).constructor.name);
