// A reviver that parses.
// expect: exception RangeError

const revive = (key, value) => JSON.parse("[1]", revive);
JSON.parse("[1]", revive);
