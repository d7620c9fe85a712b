// What is done finally is done again. Ends in RangeError or Timeout.
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
