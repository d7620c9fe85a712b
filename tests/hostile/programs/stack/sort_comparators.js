// A comparison for sorting that sorts.
// expect: exception RangeError

const compare = () => [2, 1].sort(compare).length;
[2, 1].sort(compare);
