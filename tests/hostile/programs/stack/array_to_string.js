// An array a hundred thousand deep, as a text.
// expect: exception RangeError

let deep = [];
for (let count = 0; count < 100_000; count++) deep = [deep];
String(deep);
