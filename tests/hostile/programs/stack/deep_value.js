// A result that is a million arrays deep.
// expect: value or exception RangeError

result = [];
for (let count = 0; count < 1_000_000; count++) result = [result];
