// What only sloppy mode allows.
undeclared = 5;
console.log(undeclared, delete globalThis.undeclared, typeof undeclared);
with ({ inside: "with" }) console.log(inside);
console.log(
  (function () {
    return this === globalThis;
  })(),
  function () {
    return typeof this;
  }.call(5),
);
function linked(a) {
  a = 2;
  return arguments[0];
}
console.log(linked(1), 010, "\101");
console.log(
  (function (n) {
    return n < 2 ? 1 : n * arguments.callee(n - 1);
  })(5),
);
Object.freeze([1])[0] = 2;
"text".property = 1;
console.log("silently ignored", NaN.x);
function duplicate(a, a) {
  return a;
}
console.log(duplicate(1, 2));
if (true) {
  function conditional() {
    return "conditional";
  }
}
console.log(conditional());
eval("var evaluated = 'in scope'");
console.log(evaluated);
console.log(
  eval("1 + 1"),
  eval("({ a: 1 })").a,
  eval("var q = 3; q * 2"),
  new Function("return this")() === globalThis,
);
var result = [];
for (var each in { a: 1 }) result.push(each);
console.log(result, delete result);
