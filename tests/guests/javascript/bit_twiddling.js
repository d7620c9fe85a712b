// Bits.
const bits = (n, size = 8) => (n >>> 0).toString(2).padStart(32, "0").slice(-size);
const count = (n) => {
  let total = 0;
  for (; n; n &= n - 1) total++;
  return total;
};
const reverse = (n) => {
  let out = 0;
  for (let i = 0; i < 32; i++) out = (out << 1) | ((n >>> i) & 1);
  return out >>> 0;
};
console.log([0, 1, 5, 255, -1].map(count), [1, 2, 0x80000000].map(reverse), bits(0b1010), bits(~0b1010), bits(-8));
console.log(
  5 & -5,
  6 & (6 - 1),
  (7 & (7 - 1)) === 0,
  (8 & (8 - 1)) === 0,
  1 << 31,
  1 << 32,
  1 << 33,
  -1 >>> 0,
  -1 >>> 31,
  (2 ** 31) >> 31,
);
const swap = (n) => ((n & 0xff) << 24) | ((n & 0xff00) << 8) | ((n >> 8) & 0xff00) | (n >>> 24);
console.log(
  (swap(0x12345678) >>> 0).toString(16),
  Math.clz32(1000),
  31 - Math.clz32(1000),
  1 << (32 - Math.clz32(1000 - 1)),
);
class BitSet {
  #words = [];
  add(n) {
    this.#words[n >> 5] |= 1 << (n & 31);
    return this;
  }
  has(n) {
    return ((this.#words[n >> 5] ?? 0) & (1 << (n & 31))) !== 0;
  }
  delete(n) {
    this.#words[n >> 5] &= ~(1 << (n & 31));
    return this;
  }
  *[Symbol.iterator]() {
    for (let i = 0; i < this.#words.length * 32; i++) if (this.has(i)) yield i;
  }
}
console.log([...new BitSet().add(3).add(31).add(32).add(100).delete(31)], new BitSet().add(5).has(5));
const rgb = (hex) => [16, 8, 0].map((shift) => (parseInt(hex.slice(1), 16) >> shift) & 255);
const hex = ([r, g, b]) => `#${((1 << 24) | (r << 16) | (g << 8) | b).toString(16).slice(1)}`;
console.log(rgb("#ff8000"), hex([255, 128, 0]), hex(rgb("#0a0b0c")));
const flags = Object.fromEntries(["read", "write", "run"].map((name, i) => [name, 1 << i]));
const names = (mode) => Object.keys(flags).filter((name) => mode & flags[name]);
console.log(flags, names(5), names(5 | flags.write), names(7 ^ flags.read), names(7 & ~flags.run));
const gray = (n) => n ^ (n >> 1);
const ungray = (n) => {
  for (let shift = n >> 1; shift; shift >>= 1) n ^= shift;
  return n;
};
console.log(
  [...Array(8).keys()]
    .map(gray)
    .map((n) => bits(n, 3))
    .join(" "),
  [...Array(8).keys()].map(gray).map(ungray).join(""),
);
let lfsr = 0xace1;
const stream = Array.from({ length: 16 }, () => {
  const bit = (lfsr ^ (lfsr >> 2) ^ (lfsr >> 3) ^ (lfsr >> 5)) & 1;
  lfsr = (lfsr >> 1) | (bit << 15);
  return bit;
});
console.log(stream.join(""), lfsr.toString(16));
const xorshift = (seed) => () => {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return seed >>> 0;
};
const next = xorshift(2463534242);
console.log(next(), next(), next());
const hamming = (a, b) => count(a ^ b);
const parity = (n) => count(n) % 2;
const single = (list) => list.reduce((x, y) => x ^ y);
console.log(
  hamming(1, 4),
  parity(7),
  single([4, 1, 2, 1, 2]),
  [...Array(4).keys()].map((n) => [...Array(4).keys()].map((m) => (n & m ? "." : "#")).join("")),
);
const big = 0b1011n << 64n;
console.log(
  big.toString(2).length,
  BigInt.asUintN(64, big | 5n),
  (big >> 64n).toString(2),
  ~0n,
  5n & -2n,
  BigInt.asIntN(4, 15n),
);
const varint = (n) => {
  const out = [];
  do {
    out.push((n & 127) | (n > 127 ? 128 : 0));
    n >>>= 7;
  } while (n);
  return out;
};
const unvarint = (list) => list.reduceRight((n, byte) => (n << 7) | (byte & 127), 0);
console.log(
  varint(300),
  unvarint(varint(300)),
  varint(1),
  [0, 127, 128, 16384].map((n) => varint(n).length),
);
const morton = (x, y) => {
  let z = 0;
  for (let i = 0; i < 8; i++) z |= (((x >> i) & 1) << (2 * i)) | (((y >> i) & 1) << (2 * i + 1));
  return z;
};
console.log(
  morton(3, 5),
  [0, 1, 2, 3].map((y) => [0, 1, 2, 3].map((x) => morton(x, y)).join(" ")),
);
