// Integers of any size.
const big = 123456789012345678901234567890n;
console.log(big, big * 2n, big ** 3n, -big, big / 7n, big % 97n, big - 1n);
console.log(
  2n ** 100n,
  BigInt("0xff"),
  BigInt(2 ** 53) + 1n,
  BigInt.asUintN(8, 257n),
  BigInt.asIntN(8, 255n),
  255n.toString(16),
  BigInt("-42"),
);
console.log(
  5n > 4,
  5n == 5,
  5n === 5,
  1n < 1.5,
  typeof 5n,
  5n && true,
  0n || "zero",
  [3n, 1, 2n].sort((a, b) => (a < b ? -1 : 1)),
);
console.log(
  -7n / 2n,
  -7n % 2n,
  5n & 3n,
  5n | 3n,
  5n ^ 3n,
  ~5n,
  1n << 70n,
  -1n >> 3n,
  Number(2n ** 60n),
  parseInt("12n"),
);
for (const action of [
  () => 1n + 1,
  () => BigInt(1.5),
  () => BigInt("1.5"),
  () => 1n / 0n,
  () => 2n ** -1n,
  () => JSON.stringify({ n: 1n }),
  () => Math.max(1n),
  () => +1n,
]) {
  try {
    console.log(action());
  } catch (error) {
    console.log(error.constructor.name);
  }
}
const factorial = (n) => (n < 2n ? 1n : n * factorial(n - 1n));
console.log(factorial(30n), String(factorial(50n)).length, factorial(20n) === 2432902008176640000n);
const fibonacci = (n) => {
  let [a, b] = [0n, 1n];
  while (n--) [a, b] = [b, a + b];
  return a;
};
console.log(
  fibonacci(200),
  BigInt.asUintN(64, -1n),
  new BigInt64Array([1n, -1n]),
  new BigUint64Array([2n ** 64n - 1n])[0],
);
function gcd(a, b) {
  return b ? gcd(b, a % b) : a;
}
console.log(gcd(2n ** 40n * 3n, 6n ** 10n), { value: 10n, list: [1n] }, `${10n}`, 10n + "px", Object(1n), BigInt(true));
const modpow = (base, exponent, modulus) => {
  let result = 1n;
  for (base %= modulus; exponent; exponent >>= 1n, base = (base * base) % modulus)
    if (exponent & 1n) result = (result * base) % modulus;
  return result;
};
console.log(modpow(3n, 1000n, 1000000007n), BigInt(Number.MAX_SAFE_INTEGER) * 2n, 123n.toLocaleString === undefined);
