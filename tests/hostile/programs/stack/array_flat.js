// An array a hundred thousand deep, made flat.
// expect: exception RangeError

let deep = [1];
for (let count = 0; count < 100_000; count++) deep = [deep];
deep.flat(Infinity);
