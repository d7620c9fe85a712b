// A program that returns at its top level is still the program that it would be without: what is hoisted, constant, not yet
// initialised and strict.
console.log(f(), typeof g, typeof h);
var f;
function f() {
  return "hoisted";
}
function f() {
  return "the last one";
}
var g = 1;
var g;
{
  function h() {}
}
const constant = 1;
try {
  constant = 2;
} catch (error) {
  console.log(error instanceof TypeError, constant);
}
try {
  console.log(later);
} catch (error) {
  console.log(error instanceof ReferenceError);
}
try {
  new Late();
} catch (error) {
  console.log(error instanceof ReferenceError);
}
let later = "now";
class Late {}
console.log(later, typeof Late);
console.log(
  (() => {
    try {
      undeclared = 1;
      return "sloppy";
    } catch {
      return "strict";
    }
  })(),
);
for (const step of [1, 2, 3]) {
  switch (step) {
    case 1:
      continue;
    case 2:
      try {
        if (step === 2) {
          console.log("returns");
          return;
        }
      } finally {
        console.log("finally");
      }
  }
  console.log("not reached");
}
console.log("not reached either");
