// JSON, there and back.
const value = {
  n: null,
  u: undefined,
  f: () => 1,
  list: [undefined, () => 1, NaN, Infinity, -0],
  date: new Date(0),
  nested: { "key with space": true, "": 1 },
  num: 1e21,
  big: 123456789012345680000,
};
console.log(JSON.stringify(value));
console.log(JSON.stringify({ b: 1, a: [1, { c: 2 }], e: [], o: {} }, null, 2));
console.log(
  JSON.stringify([1, [2]], null, "--"),
  JSON.stringify({ a: 1, b: 2, c: { a: 3, d: 4 } }, ["a", "c"]),
  JSON.stringify({ a: 1, b: "x" }, (key, each) => (typeof each === "number" ? each * 2 : each)),
);
console.log(
  JSON.stringify('quote " back \\ slash / tab \t nul \0 \u2028 é 😀 \ud800'),
  JSON.stringify(undefined),
  JSON.stringify(() => 1),
  JSON.stringify(Symbol()),
  JSON.stringify(null),
  JSON.stringify(new Boolean(false)),
  JSON.stringify(Object("s")),
  JSON.stringify(Object(5)),
);
console.log(
  JSON.stringify({ toJSON: (key) => `custom ${key}` }),
  JSON.stringify({ k: { toJSON: (key) => `at ${key}` } }),
  JSON.stringify(new Map([[1, 2]])),
  JSON.stringify(new Set([1])),
  JSON.stringify(/x/),
  JSON.stringify(new Error("e")),
  JSON.stringify(Object.create({ inherited: 1 })),
);
console.log(
  JSON.parse(' {"a" : [1, 2.5e3, -0, true, null, "\\u00e9\\n"], "__proto__": 1, "a b": {}} '),
  JSON.parse('"x"'),
  JSON.parse("1"),
  JSON.parse('{"a":1,"a":2}'),
);
console.log(
  JSON.parse('{"date":"2020-01-01","list":[1,2,3]}', function (key, each) {
    return key === "date" ? new Date(each) : Array.isArray(this) && each === 2 ? undefined : each;
  }),
);
for (const text of [
  "",
  "{",
  "{'a':1}",
  "[1,]",
  '{"a":1,}',
  "01",
  "1.",
  "+1",
  "nul",
  '"\t"',
  '"\\x"',
  "undefined",
  "[1 2]",
  '{"a" 1}',
  "NaN",
  "\u00a01",
  '"unterminated',
]) {
  try {
    console.log(JSON.parse(text));
  } catch (error) {
    console.log(error.name);
  }
}
const cyclic = { name: "loop" };
cyclic.self = cyclic;
try {
  JSON.stringify(cyclic);
} catch (error) {
  console.log(error.name);
}
console.log(cyclic);
const deep = JSON.parse("[".repeat(500) + "]".repeat(500));
console.log(
  JSON.stringify(deep).length,
  JSON.stringify(JSON.parse(JSON.stringify({ a: [{ b: { c: [1, "2", false] } }] }))),
);
console.log(
  JSON.stringify({ a: 1 }, null, 20).split("\n")[1].length,
  JSON.stringify({ a: 1 }, null, "").length,
  JSON.stringify([new Date(NaN)]),
  JSON[Symbol.toStringTag],
);
console.log(
  Object.keys(JSON.parse('{"2":1,"1":2,"b":3,"a":4}')),
  JSON.stringify({ [Symbol("s")]: 1, 5: 5, x: 1n === 1n }),
);
