// A promise whose executor makes the promise. Ends in RangeError.
const make = () => new Promise(() => make());
await make();
