// Primes, divisors, bases.
function sieve(limit) {
  const composite = new Uint8Array(limit + 1);
  const primes = [];
  for (let n = 2; n <= limit; n++) {
    if (composite[n]) continue;
    primes.push(n);
    for (let multiple = n * n; multiple <= limit; multiple += n) composite[multiple] = 1;
  }
  return primes;
}
const primes = sieve(10000);
console.log(primes.length, primes.slice(-3), primes.slice(0, 10));
const gcd = (a, b) => (b ? gcd(b, a % b) : a);
const lcm = (a, b) => (a / gcd(a, b)) * b;
console.log(gcd(1071, 462), lcm(21, 6), [...Array(20).keys()].map((n) => n + 1).reduce(lcm));
function factors(n) {
  const found = [];
  for (let p = 2; p * p <= n; p++) while (n % p === 0) (found.push(p), (n /= p));
  return n > 1 ? [...found, n] : found;
}
console.log(factors(360), factors(9999991), factors(2 ** 20));
const divisors = (n) => Array.from({ length: n }, (_, i) => i + 1).filter((d) => n % d === 0);
console.log(
  divisors(28),
  [...Array(500).keys()].filter((n) => n > 1 && divisors(n).reduce((a, b) => a + b) === 2 * n),
);
const collatz = (n) => (n === 1 ? [1] : [n, ...collatz(n % 2 ? 3 * n + 1 : n / 2)]);
console.log(collatz(13).join(" "), Math.max(...collatz(27)));
const roman = (n) =>
  [
    [1000, "M"],
    [900, "CM"],
    [500, "D"],
    [400, "CD"],
    [100, "C"],
    [90, "XC"],
    [50, "L"],
    [40, "XL"],
    [10, "X"],
    [9, "IX"],
    [5, "V"],
    [4, "IV"],
    [1, "I"],
  ].reduce((text, [value, sign]) => {
    while (n >= value) ((text += sign), (n -= value));
    return text;
  }, "");
console.log([1994, 2024, 49, 3999].map(roman));
const toBase = (n, base) => (n < base ? n.toString(36) : toBase(Math.floor(n / base), base) + (n % base).toString(36));
console.log(toBase(255, 2), toBase(255, 16), toBase(12345, 7), parseInt("11111111", 2), (12345).toString(7));
const luhn = (digits) =>
  [...digits]
    .reverse()
    .map(Number)
    .reduce((sum, digit, at) => sum + (at % 2 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit), 0) %
    10 ===
  0;
console.log(luhn("4539578763621486"), luhn("1234567890123456"));
const armstrong = [...Array(1000).keys()].filter(
  (n) =>
    n > 9 &&
    String(n)
      .split("")
      .reduce((sum, digit) => sum + digit ** String(n).length, 0) === n,
);
console.log(
  armstrong,
  [6, 28].map((n) => n.toString(2).padStart(8, "0")),
  [...Array(16).keys()].map((n) => (n ^ (n >> 1)).toString(2).padStart(4, "0")).join(" "),
);
const modPow = (base, exponent, modulus) => {
  let result = 1n;
  for (let b = BigInt(base), e = BigInt(exponent), m = BigInt(modulus); e; e >>= 1n, b = (b * b) % m)
    if (e & 1n) result = (result * b) % m;
  return result;
};
console.log(
  modPow(2, 1000, 1000007),
  Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: row + 1 }, (_, k) =>
      Array.from({ length: k }, (_, i) => (row - i) / (i + 1)).reduce((a, b) => a * b, 1),
    )
      .map(Math.round)
      .join(" "),
  ).join(" / "),
);
