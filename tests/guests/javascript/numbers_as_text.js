// The shortest text for each number, text for numbers in other forms, and numbers from text.

const bits = new DataView(new ArrayBuffer(8));
const hex = (value) => {
  bits.setFloat64(0, value);
  return bits.getBigUint64(0).toString(16).padStart(16, "0");
};
const fromBits = (text) => {
  bits.setBigUint64(0, BigInt(`0x${text}`));
  return bits.getFloat64(0);
};
const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};

// Powers of two, whose neighbour below is closer than the one above.
for (const text of ["0060000000000000", "0100000000000000", "0420000000000000", "0e80000000000000", "0f50000000000000"]) {
  console.log(text, fromBits(text), JSON.stringify(fromBits(text)), fromBits(text).toExponential());
}
console.log(String(7.120236347223045e-307), 7.120236347223045e-307 === fromBits("0060000000000000"));
for (const exponent of [-1074, -1073, -1022, -1021, -1000, -500, -1, 53, 54, 89, 122, 149, 500, 1023]) {
  const value = 2 ** exponent;
  console.log(exponent, value, -value, value + value / 2 ** 52, `${value}` === JSON.stringify(value));
}
console.log(5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 2.225073858507201e-308, 9007199254740993, 1e21, 1e-7);

// Digits behind the 38th decide.
for (const text of [
  "9007199254740993.0000000000000000000000000000000001",
  "9007199254740992.9999999999999999999999999999999999",
  "11406947974104485142416213611758952525316625530880",
  "3.8192416531095030222786590456962585449218751e4",
  `1${"0".repeat(400)}e-400`,
  `0.${"0".repeat(400)}123e401`,
  `2.4703282292062327208${"0".repeat(400)}1e-324`,
  "2.47032822920623272088e-324",
]) {
  console.log(hex(Number(text)), hex(parseFloat(text)), hex(JSON.parse(text)), hex((0, eval)(text)));
}
console.log(hex((0, eval)("9007199254740993.00000000000000000_000000000000000001")), parseInt("9".repeat(400)), parseInt("9007199254740993"));

// Other bases, in which the digits are a choice of the engine.
for (const value of [0.1, -0.1, 1 / 3, Math.PI, 255.5, 1e21, 2 ** 60 + 2 ** 10, 1.7976931348623157e308, 5e-324, 0.000001, -123.456]) {
  console.log([2, 3, 7, 16, 32, 36].map((base) => value.toString(base).slice(0, 80)).join(" "));
}

// Formats.
for (const value of [0, -0, 1.005, 0.000001, 123.456, 1e21, -1.5, 1.45, 8.345, NaN, Infinity, 2 ** -1074]) {
  console.log(value.toFixed(2), value.toFixed(20), value.toPrecision(3), value.toPrecision(21), value.toExponential(2), value.toExponential());
}
for (const work of [() => (1).toFixed(101), () => (1).toFixed(-1), () => (1).toExponential(101), () => (1).toPrecision(0), () => (1).toPrecision(101), () => (1).toString(1), () => (1.5).toString(37)])
  console.log(attempt(work));
