// Calls the runner's own functions with unexpected arguments.
// expect: value or contained or exception * or crash or timeout or exit *

for (const name of Object.getOwnPropertyNames(globalThis)) {
  const value = globalThis[name];
  if (typeof value !== 'function' || /^(Atomics|Iterator|setTimeout|setInterval)$/.test(name)) continue;
  for (const args of [[], [new Uint8Array(100)], ['x', 1, null]]) {
    try {
      await Promise.race([value(...args), Promise.resolve()]);
    } catch {}
  }
}
result = 'contained';
