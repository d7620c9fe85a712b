// A function that was bound a hundred thousand times.
// expect: exception RangeError

let bound = () => 1;
for (let count = 0; count < 100_000; count++) {
  bound = bound.bind(null);
  // Every name would be longer than the one before.
  Object.defineProperty(bound, "name", { value: "" });
}
bound();
