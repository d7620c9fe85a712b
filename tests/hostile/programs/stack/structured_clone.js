// An array a hundred thousand deep, cloned.
// expect: exception RangeError or exception DataCloneError

let deep = [];
for (let count = 0; count < 100_000; count++) deep = [deep];
structuredClone(deep);
