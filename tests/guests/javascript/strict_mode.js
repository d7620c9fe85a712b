"use strict";
// What strict mode forbids.
const attempts = {
  undeclared: () => {
    oops = 1;
  },
  frozen: () => {
    Object.freeze([1])[0] = 2;
  },
  getter: () => {
    ({
      get only() {
        return 1;
      },
    }).only = 2;
  },
  primitive: () => {
    "text".property = 1;
  },
  deletion: () => {
    delete Object.prototype;
  },
  length: () => {
    Object.defineProperty([], "length", { writable: false }).push(1);
  },
  arguments: () =>
    (function () {
      return arguments.callee;
    })(),
};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    attempt();
    console.log(name, "allowed");
  } catch (error) {
    console.log(name, error.name);
  }
}
console.log(
  (function () {
    return this;
  })(),
  function () {
    return typeof this;
  }.call(5),
  (() => typeof this)() !== "undefined",
);
function separate(a) {
  a = 2;
  return arguments[0];
}
console.log(separate(1));
for (const source of [
  "with ({}) {}",
  "var eval = 1",
  "010",
  "delete x",
  "function f(a, a) {}",
  "'\\01'",
  "let static = 1",
  "arguments = 1",
]) {
  try {
    new Function(`"use strict"; ${source}`);
    console.log(source, "parsed");
  } catch (error) {
    console.log(source, error.name);
  }
}
console.log((0, eval)("var fromEval = 1; typeof fromEval"), typeof fromEval);
