// Hashes, checksums, compression and ciphers in plain JavaScript.
const fnv = (text) => {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16);
};
console.log(fnv(""), fnv("a"), fnv("foobar"));
const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});
const crc = (text) =>
  (new TextEncoder().encode(text).reduce((c, byte) => table[(c ^ byte) & 255] ^ (c >>> 8), -1) ^ -1) >>> 0;
console.log(crc("The quick brown fox jumps over the lazy dog").toString(16), crc(""));
const adler = (text) => {
  let [a, b] = [1, 0];
  for (const byte of new TextEncoder().encode(text)) b = (b + (a = (a + byte) % 65521)) % 65521;
  return ((b << 16) | a) >>> 0;
};
console.log(adler("Wikipedia").toString(16));
function sha256(text) {
  const rotate = (x, n) => (x >>> n) | (x << (32 - n));
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
  const k = primes.map((p) => fraction(Math.cbrt(p)));
  const h = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
  const bytes = [...new TextEncoder().encode(text)];
  const bits = bytes.length * 8;
  bytes.push(0x80);
  while (bytes.length % 64 !== 56) bytes.push(0);
  for (let i = 7; i >= 0; i--) bytes.push(Math.floor(bits / 2 ** (8 * i)) & 255);
  for (let at = 0; at < bytes.length; at += 64) {
    const w = Array.from(
      { length: 16 },
      (_, i) =>
        (bytes[at + i * 4] << 24) |
        (bytes[at + i * 4 + 1] << 16) |
        (bytes[at + i * 4 + 2] << 8) |
        bytes[at + i * 4 + 3],
    );
    for (let i = 16; i < 64; i++) {
      const s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, i8] = h;
    for (let i = 0; i < 64; i++) {
      const t1 = (i8 + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i]) | 0;
      const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [i8, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, i8].forEach((value, i) => (h[i] = (h[i] + value) | 0));
  }
  return h.map((value) => (value >>> 0).toString(16).padStart(8, "0")).join("");
}
console.log(sha256("abc"), sha256(""));
function huffman(text) {
  const nodes = Object.entries([...text].reduce((n, c) => ({ ...n, [c]: (n[c] ?? 0) + 1 }), {}))
    .map(([c, n]) => ({ c, n }))
    .sort((a, b) => (a.c < b.c ? -1 : 1));
  while (nodes.length > 1) {
    nodes.sort((a, b) => a.n - b.n);
    const [left, right] = nodes.splice(0, 2);
    nodes.push({ n: left.n + right.n, left, right });
  }
  const codes = {};
  (function walk({ c, left, right }, code) {
    if (c) codes[c] = code || "0";
    else (walk(left, code + "0"), walk(right, code + "1"));
  })(nodes[0], "");
  return { codes, bits: [...text].map((c) => codes[c]).join("") };
}
console.log(
  huffman("abracadabra").bits.length,
  Object.values(huffman("mississippi").codes)
    .map((c) => c.length)
    .sort()
    .join(""),
);
function lzw(text) {
  const known = new Map([...Array(128).keys()].map((n) => [String.fromCharCode(n), n]));
  const out = [];
  let current = "";
  for (const c of text) {
    if (known.has(current + c)) current += c;
    else {
      out.push(known.get(current));
      known.set(current + c, known.size);
      current = c;
    }
  }
  return current ? [...out, known.get(current)] : out;
}
console.log(lzw("TOBEORNOTTOBEORTOBEORNOT").join(" "));
const vigenere = (text, key, sign = 1) =>
  [...text]
    .map((c, i) =>
      String.fromCharCode(((c.charCodeAt(0) - 65 + sign * (key.charCodeAt(i % key.length) - 65) + 26) % 26) + 65),
    )
    .join("");
console.log(vigenere("ATTACKATDAWN", "LEMON"), vigenere(vigenere("ATTACKATDAWN", "LEMON"), "LEMON", -1));
const xor = (text, key) =>
  String.fromCharCode(...[...text].map((c, i) => c.charCodeAt(0) ^ key.charCodeAt(i % key.length)));
console.log(
  xor(xor("secret", "key"), "key"),
  [...xor("secret", "key")].map((c) => c.charCodeAt(0)),
);
