// Callbacks of callbacks of maps and sets.
// expect: exception RangeError

const down = () => new Map([[1, new Set([1])]]).forEach((set) => set.forEach(down));
down();
