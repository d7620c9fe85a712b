// A dictionary that grows.
// expect: memory or exception InternalError or exception RangeError or timeout

const kept = new Map();
for (let number = 0; ; number++) kept.set(number, String(number).repeat(50));
