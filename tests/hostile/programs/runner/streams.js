// Closes and replaces the streams that the runner writes to at the end.
// expect: value or contained or exception *

console.log = null;
Object.defineProperty(globalThis, 'console', { get() { throw new Error('gone'); } });
try {
  process.stdout.write = null;
} catch {}
result = 1;
