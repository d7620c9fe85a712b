// A line of a hundred thousand classes, each the child of the one before.
// expect: value or exception RangeError

let Child = class {};
for (let count = 0; count < 100_000; count++) Child = class extends Child {};
new Child();
"made";
