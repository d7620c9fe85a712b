// Values and sources that are nested very deeply give errors that a program catches, and leave its names alone.

const DEPTH = 60000;
const nested = (open, middle, close) => open.repeat(DEPTH) + middle + close.repeat(DEPTH);
const fold = (make, start, depth = DEPTH) => {
  let value = start;
  for (let level = 0; level < depth; level += 1) value = make(value);
  return value;
};
const kept = { name: "kept" };
const { inspect, isDeepStrictEqual } = require("util");
const assert = require("assert");

const sources = {
  parentheses: nested("(", "1", ")"),
  open: "(".repeat(DEPTH),
  lists: nested("[", "", "]"),
  "open lists": "[".repeat(DEPTH),
  objects: `x = ${nested("{a:", "1", "}")}`,
  blocks: nested("{", "", "}"),
  functions: nested("function f(){", "", "}"),
  arrows: nested("()=>{", "", "}"),
  classes: nested("class A{m(){", "", "}}"),
  parents: nested("(class extends ", "Object", "{})"),
  fields: nested("(class {x=", "1", "})"),
  templates: nested("`${", "1", "}`"),
  "open templates": "`${".repeat(DEPTH),
  conditions: "1?".repeat(DEPTH) + "1" + ":1".repeat(DEPTH),
  negations: `${"!".repeat(2 * DEPTH)}1`,
  words: `${"typeof ".repeat(2 * DEPTH)}1`,
  news: `${"new ".repeat(DEPTH)}x`,
  ifs: `${"if(1)".repeat(DEPTH)};`,
  elses: `${"if(0);else ".repeat(DEPTH)};`,
  loops: `${"for(;0;)".repeat(DEPTH)};`,
  tries: nested("try{", "", "}finally{}"),
  assignments: `var a;${"a=".repeat(DEPTH)}1`,
  powers: `${"1**".repeat(DEPTH)}1`,
  patterns: `var ${nested("[", "a", "]")}=[]`,
  calls: nested("f(", "", ")"),
  imports: "import(".repeat(DEPTH),
};
const works = {
  "new Function": () => new Function("(".repeat(DEPTH)),
  groups: () => new RegExp(nested("(", "", ")")),
  "other groups": () => new RegExp(nested("(?:", "", ")")),
  lookaheads: () => new RegExp(nested("(?=", "", ")")),
  sets: () => new RegExp(nested("[", "a", "]"), "v"),
  "JSON lists": () => JSON.parse(nested("[", "", "]")),
  "open JSON": () => JSON.parse("[".repeat(DEPTH)),
  "JSON objects": () => JSON.parse(nested('{"a":', "1", "}")),
  // Each level is compared with all around it.
  stringify: () => JSON.stringify(fold((a) => [a], [], 6_000)),
  "stringify objects": () => JSON.stringify(fold((a) => ({ a }), {}, 6_000)),
  structuredClone: () => structuredClone(fold((a) => [a], [])),
  "clone of maps": () => structuredClone(fold((a) => new Map([[1, a]]), new Map())),
  join: () => fold((a) => [a], []).join(),
  toString: () => `${fold((a) => [a], [])}`,
  flat: () => fold((a) => [a], []).flat(Infinity),
  equality: () => assert.deepStrictEqual(fold((a) => [a], []), fold((a) => [a], [])),
  "equality of maps": () => isDeepStrictEqual(fold((a) => new Map([[1, a]]), new Map()), fold((a) => new Map([[1, a]]), new Map())),
  getters: () => fold((a) => ({ get a() { return a.a; } }), { a: 1 }).a,
  proxies: () => fold((a) => new Proxy(a, {}), {}).a,
  "called proxies": () => fold((a) => new Proxy(a, {}), () => 1)(),
  "keys of proxies": () => Object.keys(fold((a) => new Proxy(a, {}), {})),
  generators: () => fold((g) => (function* () { yield* g; })(), [1]).next(),
  recursion: () => { const f = () => f(); return f(); },
  "recursion in sort": () => { const f = () => [2, 1].sort(f); return f(); },
  "recursion in replace": () => { const f = () => "a".replace(/a/, f); return f(); },
  "recursion in toJSON": () => { const o = { toJSON: () => JSON.stringify(o) }; return JSON.stringify(o); },
};

const report = (name, work) => {
  try {
    work();
    console.log(name, "nothing thrown");
  } catch (error) {
    console.log(name, error instanceof RangeError || error instanceof SyntaxError, kept.name);
  }
};
for (const [name, source] of Object.entries(sources)) report(name, () => (0, eval)(source));
for (const [name, work] of Object.entries(works)) report(name, work);
console.log(inspect(fold((a) => [a], [])), inspect(fold((a) => ({ a }), {})));
console.log(inspect(fold((a) => [a], []), { depth: Infinity }).includes("Inspection interrupted prematurely"));
console.log(fold((a) => [a], []));
(async () => {
  console.log(await fold((promise) => promise.then((x) => x), Promise.resolve("promises")));
  console.log(await fold((promise) => new Promise((resolve) => resolve(promise)), Promise.resolve("promises in promises")));
  const down = async (level) => (level === 0 ? 0 : 1 + (await down(level - 1)));
  try {
    console.log(await down(DEPTH));
  } catch (error) {
    console.log("async recursion", error instanceof RangeError, kept.name);
  }
})();
