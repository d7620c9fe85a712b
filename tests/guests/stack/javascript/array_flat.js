// An array a hundred thousand deep, made flat. Ends in RangeError.
let deep = [1];
for (let count = 0; count < 100_000; count++) deep = [deep];
deep.flat(Infinity);
