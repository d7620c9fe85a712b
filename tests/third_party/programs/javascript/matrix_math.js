const multiply = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
const transpose = (m) => m[0].map((_, i) => m.map((row) => row[i]));
console.log(multiply([[1, 2], [3, 4]], [[5, 6], [7, 8]]), transpose([[1, 2, 3], [4, 5, 6]]));
console.log(0.1 + 0.2, (0.1 + 0.2).toFixed(2), 1 / 3, 1e21 + 1, 123.456.toPrecision(4), (255).toString(16), (0.5).toString(2), parseInt("12px"), parseFloat("3.14abc"), Number(""), Number("0b101"), +[], +{});
console.log(Math.hypot(3, 4), Math.trunc(-4.7), Math.sign(-3), Math.cbrt(27), Math.log2(8), Math.fround(5.5), Math.clz32(1), Math.imul(3, 4), Math.expm1(0), Math.round(-0.5), Math.round(2.5), Math.max(), Math.min());
console.log(5 % -3, -5 % 3, 2 ** -1, (-8) ** (1 / 3), 7 >>> 1, -7 >> 1, -7 >>> 28, ~5, 5 & 3, 5 | 3, 5 ^ 3, 1 << 31, 2 ** 53 === 2 ** 53 + 1);
console.log(Number.EPSILON, Number.MAX_VALUE, Number.MIN_VALUE, Number.isInteger(5.0), Number.isSafeInteger(2 ** 53), (25).toString(36), (1234.5678).toExponential(2), (1e-10).toFixed(12), (-1.5).toFixed(0), (1.005).toFixed(2), 1000000000000000128..toString(), (0.000001234).toString());
const primes = Array.from({ length: 50 }, (_, i) => i).filter((n) => n > 1 && !Array.from({ length: Math.sqrt(n) | 0 }, (_, k) => k + 2).some((d) => d < n && n % d === 0));
console.log(primes.join(" "), [1, 2, 3, 4].reduce((a, b) => a * b), [0.1, 0.2, 0.3].reduce((a, b) => a + b));
