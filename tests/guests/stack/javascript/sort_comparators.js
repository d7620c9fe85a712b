// A comparison for sorting that sorts. Ends in RangeError.
const compare = () => [2, 1].sort(compare).length;
[2, 1].sort(compare);
