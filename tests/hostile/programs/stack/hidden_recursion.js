// Recursion that hides in callbacks of built-in functions, all at once.
// expect: exception RangeError

const down = () =>
  [1].flatMap(() => [2, 1].toSorted(() => "a".replaceAll("a", () => JSON.stringify({ toJSON: () => Reflect.apply(down, null, []) })).length));
down();
