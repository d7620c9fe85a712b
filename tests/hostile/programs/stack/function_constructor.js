// A function that makes the next one from source.
// expect: exception RangeError or exception SyntaxError

globalThis.down = new Function("return new Function('return down()')()");
down();
