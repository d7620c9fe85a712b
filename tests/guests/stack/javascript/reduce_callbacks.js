// A callback of reduce that reduces. Ends in RangeError.
const down = () => [1, 2].reduce(down);
down();
