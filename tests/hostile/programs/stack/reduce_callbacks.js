// A callback of reduce that reduces.
// expect: exception RangeError

const down = () => [1, 2].reduce(down);
down();
