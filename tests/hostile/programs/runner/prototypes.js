// Replaces methods of built-in prototypes by ones that throw.
// expect: value or contained or exception * or crash

for (const prototype of [Object.prototype, Array.prototype, String.prototype, Promise.prototype]) {
  for (const name of ['then', 'get', 'set', 'value', 'length2', 'toString', 'message', 'stack']) {
    try {
      Object.defineProperty(prototype, name, { get() { throw new Error(name); }, configurable: true });
    } catch {}
  }
}
result = [{ a: 1 }];
