// A generator that delegates to itself. Ends in RangeError.
function* numbers() {
  yield* numbers();
}
numbers().next();
