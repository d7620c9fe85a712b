// An array from an array from an array.
// expect: exception RangeError

const down = () => Array.from([1], down);
down();
