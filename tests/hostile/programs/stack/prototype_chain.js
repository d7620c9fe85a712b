// A prototype chain half a million objects long, searched to its end.
// expect: value or exception RangeError

let object = {};
for (let count = 0; count < 500_000; count++) object = Object.create(object);
object.missing === undefined;
