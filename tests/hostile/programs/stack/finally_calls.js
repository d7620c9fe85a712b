// What is done finally is done again.
// expect: exception RangeError or timeout

let depth = 0;
function fall() {
  depth += 1;
  try {
    throw new Error("first");
  } finally {
    fall();
  }
}
fall();
