// An iterator that never ends, consumed by native code.
// expect: timeout

const endless = { [Symbol.iterator]: () => ({ next: () => ({ value: 0, done: false }) }) };
new Set(endless);
