// A function that makes the next one from source. Ends in RangeError or SyntaxError.
globalThis.down = new Function("return new Function('return down()')()");
down();
