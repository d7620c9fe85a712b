"use strict";
// As `top_level.js`, strict.
try {
  undeclared = 1;
} catch (error) {
  console.log(error instanceof ReferenceError);
}
console.log(
  (function () {
    return this;
  })(),
);
const frozen = Object.freeze({ a: 1 });
try {
  frozen.a = 2;
} catch (error) {
  console.log(error instanceof TypeError, frozen.a);
}
async function soon() {
  return 1;
}
function* some() {
  yield 1;
}
console.log(typeof soon, [...some()]);
if (frozen) {
  return console.log("returns");
}
console.log("not reached");
