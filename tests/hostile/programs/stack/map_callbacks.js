// A callback of map that maps.
// expect: exception RangeError

const down = () => [1].map(down);
down();
