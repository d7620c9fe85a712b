// An array a hundred thousand deep, cloned. Ends in RangeError or DataCloneError.
let deep = [];
for (let count = 0; count < 100_000; count++) deep = [deep];
structuredClone(deep);
