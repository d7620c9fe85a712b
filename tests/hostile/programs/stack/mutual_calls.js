// Two functions that call each other, with many arguments.
// expect: exception RangeError

const ping = (...parameters) => pong(...parameters.slice(-3), 1);
const pong = (...parameters) => ping(...parameters.slice(-3), 2);
ping();
