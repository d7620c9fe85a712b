// Parameters, defaults, rest and spread, names and lengths.
function defaults(left, right = left * 2, { scale = 1, ...rest } = {}, ...others) {
  return [left, right, scale, rest, others];
}
console.log(defaults(1));
console.log(defaults(1, undefined, { scale: 3, extra: true }, "a", "b"));
console.log(defaults.length, defaults.name);

const arrow = (a, b) => a + b;
console.log(arrow.name, arrow.length, typeof arrow.prototype);
const object = {
  method() {},
  get accessor() {
    return 1;
  },
  ["comp" + "uted"]() {},
  async later() {},
  *sequence() {},
};
console.log(object.method.name, object.computed.name, object.later.name, object.sequence.name);
console.log(Object.getOwnPropertyDescriptor(object, "accessor").get.name);

console.log(Math.max(...[3, 9, 2], ...new Set([7, 11])));
function self() {
  return this;
}
console.log(self.call("text") instanceof String || self.call("text") === "text");
console.log(arrow.call(null, 1, 2), arrow.apply(null, [3, 4]), arrow.bind(null, 10)(5));
const bound = function (greeting, mark) {
  return `${greeting}, ${this.name}${mark}`;
}.bind({ name: "Ada" }, "hello");
console.log(bound("!"), bound.name, bound.length);

function legacy() {
  return arguments.length + [...arguments].join("");
}
console.log(legacy("a", "b", "c"));
const compose =
  (...steps) =>
  (value) =>
    steps.reduceRight((result, step) => step(result), value);
console.log(
  compose(
    (x) => x + 1,
    (x) => x * 10,
  )(2),
);
const curry = (f, ...held) => (held.length >= f.length ? f(...held) : (...more) => curry(f, ...held, ...more));
console.log(curry((a, b, c) => a + b + c)(1)(2)(3));
console.log(typeof function () {}, (() => {}).name, function () {}.name);
console.log(new Function("a", "b", "return a * b")(6, 7));
function hoisted() {
  return inner();
  function inner() {
    return "found";
  }
}
console.log(hoisted());
let order = "";
const log = (mark) => ((order += mark), mark);
((a = log("a"), b = log("b")) => a + b)();
console.log(order);
