// An array from an array from an array. Ends in RangeError.
const down = () => Array.from([1], down);
down();
