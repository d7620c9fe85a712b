// A callback of map that maps. Ends in RangeError.
const down = () => [1].map(down);
down();
