// Conversions, spoken and unspoken.
const values = [
  0,
  -0,
  1,
  NaN,
  Infinity,
  "",
  " ",
  "0",
  "1",
  "a",
  "1,2",
  null,
  undefined,
  true,
  false,
  [],
  [0],
  [1, 2],
  {},
  () => 1,
  1n,
];
for (const value of values) {
  let number;
  try {
    number = Number(value);
  } catch (error) {
    number = error.name;
  }
  console.log(
    typeof value,
    String(value),
    number,
    Boolean(value),
    value == 0,
    value == false,
    value == "",
    value == null,
  );
}
console.log(
  parseInt("08"),
  parseInt("1e3"),
  parseInt(0.0000005),
  parseInt(null),
  parseInt("Infinity"),
  parseFloat("1.2.3"),
  parseFloat("-.5e1x"),
  Number("1_000"),
  +"0x1F",
  +"0b101",
  +"0o17",
  Number("١"),
);
console.log(
  [10, 9, 1] + "",
  [undefined, null] + "",
  [[]] + "",
  {} + [],
  [] == ![],
  !!document_(),
  +[[1]],
  "b" + 1 + 2,
  1 + 2 + "b",
  "3" - "1",
  "3" + -"1",
  -(-"3"),
);
function document_() {
  return { valueOf: () => 0 };
}
console.log(
  document_() == 0,
  document_() + 1,
  `${{ toString: () => "t", valueOf: () => 1 }}`,
  { toString: () => "t", valueOf: () => 1 } + "",
  [1] * [2],
  null + undefined,
);
console.log(
  Object(1) == 1,
  Object("a") + "b",
  new Boolean(false) ? "truthy" : "falsy",
  typeof Object(1n),
  Object(1n) + 1n,
  new Number(5) + 5,
  JSON.stringify([new String("s"), new Number(1), new Boolean(true)]),
);
console.log(
  String([1, [2, [3]]]),
  String({}),
  String(null),
  String(Symbol("s")),
  `${[1, 2]}`,
  [null] == "",
  [undefined] == 0,
  [0] == "0",
  "1" == [1],
);
console.log(
  Number.parseFloat("3.70"),
  (25).toString(2),
  (0.1).toString(3).slice(0, 10),
  Number("  42\n"),
  Number("4 2"),
  ~~"42.9",
  "42" | 0,
  "abc" | 0,
  1 / "0",
  +new Date(5),
  +true,
);
for (const action of [
  () => +1n,
  () => 1n + 1,
  () => Symbol() + "",
  () => `${Symbol()}`,
  () => null.toString(),
  () => Number(Symbol()),
  () => BigInt("a"),
  () => BigInt(undefined),
]) {
  try {
    console.log(action());
  } catch (error) {
    console.log(error.name);
  }
}
console.log(
  [1, "1", 1.0, true].map((value) => [1].includes(value)),
  new Set([1, "1", 1.0]).size,
  new Map([[NaN, 1]]).get(NaN),
  [NaN].findIndex(Number.isNaN),
  Object.is("a", "a"),
);
console.log(
  Array.from("123", Number),
  [..."321"].map(Number).sort(),
  ["1", "2", "10"].map(parseFloat),
  Object.entries({ a: 1 }).flat(),
  Object.fromEntries(new URLSearchParams("a=1&b=2")),
);
console.log(
  isNaN("abc"),
  Number.isNaN("abc"),
  isFinite("12"),
  Number.isFinite("12"),
  Number.isInteger("5"),
  typeof (5 + ""),
  typeof +"5",
  typeof !!"5",
  typeof [],
  typeof null,
);
