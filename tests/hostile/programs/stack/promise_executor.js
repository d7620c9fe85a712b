// A promise whose executor makes the promise.
// expect: exception RangeError

const make = () => new Promise(() => make());
await make();
