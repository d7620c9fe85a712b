// var, let, const, hoisting and the dead zone.
console.log(typeof hoisted, hoisted, typeof later, later());
var hoisted = 1;
function later() {
  return "hoisted function";
}
try {
  tooEarly;
  let tooEarly = 1;
} catch (error) {
  console.log(error.name);
}
{
  let hoisted = "inner";
  const fixed = { inside: 1 };
  fixed.inside = 2;
  console.log(hoisted, fixed);
}
console.log(hoisted);
try {
  const constant = 1;
  constant = 2;
} catch (error) {
  console.log(error.name);
}
function shadow(value) {
  var value;
  if (true) {
    let value = "block";
    console.log(value);
  }
  return value;
}
console.log(shadow("parameter"));
let outer = "outer";
function reads() {
  return outer;
}
(function () {
  let outer = "inner";
  console.log(reads(), outer);
})();
switch (1) {
  case 0:
    let inSwitch;
  case 1:
    try {
      inSwitch = "assigned";
    } catch (error) {
      console.log(error.name);
    }
}
const functions = {};
for (let i of [1, 2]) functions[i] = () => i;
console.log(functions[1](), functions[2]());
console.log(
  typeof undeclared,
  (() => {
    try {
      return undeclared;
    } catch (error) {
      return error.name;
    }
  })(),
);
var twice = 1;
var twice;
console.log(twice);
const self = function me(n) {
  return n ? me(n - 1) : typeof me;
};
console.log(self(2), typeof me);
console.log(
  (function (a, b = () => a) {
    var a = 2;
    return [a, b()];
  })(1),
);
try {
  (function (a = b, b) {})();
} catch (error) {
  console.log(error.name);
}
for (let i = 0, get = () => i; i < 1; i++) console.log(get(), i);
const { log } = console;
log("destructured log");
let x = 1;
{
  let x = 2;
  {
    let x = 3;
    console.log(x);
  }
  console.log(x);
}
console.log(x);
