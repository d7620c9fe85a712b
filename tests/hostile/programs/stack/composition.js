// A hundred thousand functions composed into one.
// expect: exception RangeError

const compose = (outer, inner) => (value) => outer(inner(value));
new Array(100_000).fill(Math.abs).reduce(compose)(-1);
