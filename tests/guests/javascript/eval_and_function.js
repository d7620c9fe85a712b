// Code from text.
globalThis.outer = "global";
function scope() {
  const outer = "local";
  return [eval("outer"), (0, eval)("outer"), new Function("return typeof outer")()];
}
console.log(
  scope()[0],
  eval("1; 2; 3"),
  eval("if (true) 'yes'; else 'no'"),
  eval("({ a: 1 }).a"),
  eval(""),
  eval("var made = 5; made + 1"),
  made,
  eval(42),
);
console.log(
  eval("(function () { return this === globalThis })()"),
  eval("'use strict'; (function () { return this })()"),
  typeof eval("() => 1"),
  eval("`${1 + 1}`"),
  eval("[1, 2].map((x) => x * 2)"),
);
const add = new Function("a", "b = 2", "return a + b");
console.log(
  add(1),
  add(1, 1),
  add.length,
  add.name,
  Function("return 7")(),
  new Function("...args", "return args.length")(1, 2, 3),
);
for (const source of [
  "1 +",
  "let let = 1",
  "return 1",
  "await 1",
  "break",
  "{",
  "'unterminated",
  "a b",
  "function () {}",
  "const x",
  "for (",
  "}",
  "yield 1; yield = 2",
  "1++",
  "super.x",
  "import x from 'y'",
  "async () => { for await (x in y) ; }",
  "({ a: 1, a: 2, __proto__: 1, __proto__: 2 })",
  "/(/",
  "`${`",
  "0x",
  "1_",
  "\\u{110000}",
]) {
  try {
    eval(source);
    console.log("fine:", source);
  } catch (error) {
    console.log(error.name + ":", source);
  }
}
eval("let scoped = 1; var leaked = 2");
console.log(typeof scoped, typeof leaked);
const GeneratorFunction = Object.getPrototypeOf(function* () {}).constructor;
const AsyncFunction = Object.getPrototypeOf(async function () {}).constructor;
console.log([...new GeneratorFunction("n", "for (let i = 0; i < n; i++) yield i")(3)]);
new AsyncFunction("x", "return (await x) * 2")(Promise.resolve(21)).then(console.log);
const compiled = Object.fromEntries(
  ["x + y", "x * y", "Math.max(x, y)"].map((source) => [source, new Function("x", "y", `return ${source}`)]),
);
for (const [source, run] of Object.entries(compiled)) console.log(source, run(3, 4));
console.log(
  function f(a, b) {
    return a;
  }.toString(),
  ((a) => a).toString(),
  class A {
    m() {}
  }.toString(),
  {
    get x() {
      return 1;
    },
  }
    .__lookupGetter__("x")
    .toString(),
);
