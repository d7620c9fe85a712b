// Regular expressions with many groups, and views of buffers that do not fit.

const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

for (const count of [1, 254, 255, 256, 257, 300, 1000]) {
  const letters = "a".repeat(count);
  const found = new RegExp("(a)".repeat(count)).exec(letters);
  const named = new RegExp(Array.from({ length: count }, (_, index) => `(?<g${index}>${index},)`).join(""), "d");
  const text = Array.from({ length: count }, (_, index) => `${index},`).join("");
  const { groups, indices } = named.exec(text);
  console.log(found.length, found.at(-1), Object.keys(groups).length, groups[`g${count - 1}`], indices.groups[`g${count - 1}`].join());
  const alternatives = Array.from({ length: count }, (_, index) => `(?<g${index}>x${index}y)`).join("|");
  console.log(new RegExp(alternatives).exec(`x${count - 1}y`).groups[`g${count - 1}`]);
  console.log(
    new RegExp(`${"(a)".repeat(count)}(b)\\${count + 1}`).test(`${letters}bb`),
    new RegExp(`^${"(a)".repeat(count)}(b)\\${count + 1}$`).test(`${letters}ba`),
    new RegExp(`${"(a)".repeat(count)}(?<z>b)\\k<z>`).test(`${letters}bb`),
    new RegExp(`(?<=${"(a)".repeat(count)})b`).exec(`${letters}b`).length,
    new RegExp(`(?:${"(a)|(b)".repeat(count)})*`).exec("ab".repeat(count)).filter((each) => each === undefined).length,
    new RegExp(`(?:${"(a)".repeat(count)})?x`).exec("x").filter((each) => each === undefined).length,
    letters.replace(new RegExp("(a)".repeat(count)), "$1$99"),
  );
}
console.log(attempt(() => new RegExp("(a)".repeat(40000))).slice(0, 11));
console.log(Object.keys(new RegExp(`(?<${"n".repeat(300)}>a)`).exec("a").groups)[0].length);

// A buffer that is detached, too short, or between two elements.
const detached = () => {
  const buffer = new ArrayBuffer(8);
  structuredClone(buffer, { transfer: [buffer] });
  return buffer;
};
for (const Type of [Uint8Array, Uint16Array, Float64Array, BigInt64Array]) {
  for (const make of [detached, () => new ArrayBuffer(8), () => new ArrayBuffer(7)]) {
    for (const rest of [[], [1], [2], [0, 1], [0, 2], [8], [8, 1], [16], [1.5], ["2"], [1, 1]]) {
      const made = attempt(() => new Type(make(), ...rest));
      console.log(Type.name, make === detached, rest, typeof made === "string" ? made.replace(/: .*detached.*/, ": detached") : made.length);
    }
    for (const rest of [[-1], [0, -1], [2 ** 53], [Infinity]])
      console.log(Type.name, rest, attempt(() => new Type(make(), ...rest)).slice(0, 10));
  }
}
