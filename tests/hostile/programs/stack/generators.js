// A generator that delegates to itself.
// expect: exception RangeError

function* numbers() {
  yield* numbers();
}
numbers().next();
