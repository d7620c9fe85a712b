const factorial = (n) => (n <= 1n ? 1n : n * factorial(n - 1n));
console.log(factorial(30n), typeof factorial(5n), 2n ** 100n, -7n / 2n, -7n % 3n);
console.log(BigInt("0xff"), BigInt.asUintN(8, 257n), BigInt.asIntN(8, 255n), 10n > 9, 1n == 1, 1n === 1);
console.log((123456789012345678901234567890n).toString(36), BigInt(Number.MAX_SAFE_INTEGER) + 2n);
try { 1n + 1; } catch (error) { console.log(error.name, error.message); }
try { BigInt(1.5); } catch (error) { console.log(error.name); }
console.log([3n, 1n, 10n].sort((a, b) => (a < b ? -1 : 1)), { big: 5n }, (5n).toString(2), BigInt(2 ** 64) >> 3n);
