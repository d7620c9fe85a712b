// Numbers as text and back: forty thousand random bit patterns, and every power of two with its neighbours. Prints digests, and the
// first numbers that do not come back.

let [x, y, z, w] = [123456789, 362436069, 521288629, 88675123];
function random() {
  const t = x ^ (x << 11);
  [x, y, z] = [y, z, w];
  w = w ^ (w >>> 19) ^ (t ^ (t >>> 8));
  return w >>> 0;
}

const numbers = new Float64Array(1);
const words = new Uint32Array(numbers.buffer);
const digests = {};
const lost = [];

function add(kind, text) {
  let digest = digests[kind] ?? 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193);
  digests[kind] = digest;
}

const FORMATS = [
  ["toFixed", (value) => value.toFixed(random() % 101)],
  ["toPrecision", (value) => value.toPrecision(1 + (random() % 100))],
  ["toExponential", (value) => value.toExponential(random() % 101)],
  ["toExponential", (value) => value.toExponential()],
  ["toPrecision", (value) => value.toPrecision(15 + (random() % 4))],
];

function check(value, index) {
  if (Number.isNaN(value)) return;
  const text = String(value);
  add("text", text);
  const back = [Number(text), parseFloat(text)];
  if (Number.isFinite(value) && !Object.is(value, -0)) back.push(JSON.parse(JSON.stringify(value)));
  if (index % 64 === 0) back.push((0, eval)(`(${text})`));
  if (!back.every((each) => each === value) && lost.length < 5) lost.push(text);
  if (index % 16 !== 0) return;
  const [kind, format] = FORMATS[random() % FORMATS.length];
  add(kind, format(value));
  add("radix", value.toString(2 + (random() % 35)));
  add("json", JSON.stringify([value, { value }]));
}

let index = 0;
for (let exponent = 0; exponent < 2047; exponent += 1) {
  for (const [high, low] of [[0, 0], [0, 1], [0, 2], [0xfffff, 0xffffffff], [0xfffff, 0xfffffffe], [0x80000, 0]]) {
    words[1] = (exponent << 20) | high;
    words[0] = low;
    const value = numbers[0];
    check(value, 16 * index);
    check(-value, index);
    index += 1;
  }
}
for (let round = 0; round < 40000; round += 1) {
  words[0] = random();
  words[1] = random();
  check(numbers[0], round);
}
// Numbers as programs have them.
for (let round = 0; round < 20000; round += 1) {
  check(random() / 100, round);
  check((random() % 100000) / 1000, 16 * round);
  check(random() * 4294967296 + random(), round);
}
console.log(digests, lost);
