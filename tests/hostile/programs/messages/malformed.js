// Arguments that no library would hand to the engine's own functions, by way of public ones.
// expect: contained

const odd = [new Uint8Array(300), new ArrayBuffer(0), Symbol('x'), 2n ** 64n, NaN, '\ud800', () => {}, new Proxy({}, {})];
for (const first of odd) {
  for (const second of odd) {
    for (const call of [() => call_tool(first, second), () => call_tool('echo', { first, second }), () => require(first)]) {
      try {
        call();
      } catch {}
    }
  }
}
result = 'contained';
