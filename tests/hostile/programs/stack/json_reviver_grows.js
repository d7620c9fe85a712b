// A reviver that makes what it walks through grow.
// expect: exception RangeError or timeout or exception InternalError or memory

JSON.parse("[0, 0]", function (key, value) {
  if (Array.isArray(this) && key === "0") this[1] = [0, this[1]];
  return value;
});
let deep = [];
for (let count = 0; count < 100_000; count++) deep = [deep];
JSON.parse("[0, 0]", function (key, value) {
  if (key === "0") this[1] = deep;
  return value;
});
