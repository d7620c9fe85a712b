// JSON a hundred thousand objects deep.
// expect: exception RangeError or exception SyntaxError

JSON.parse('{"a":'.repeat(100_000) + "1" + "}".repeat(100_000));
