// What everything else is made of, replaced.
// expect: value or contained or exception *

for (const name of ['Object', 'Array', 'String', 'Error', 'Promise', 'Map', 'Symbol', 'Uint8Array', 'Function', 'eval']) {
  globalThis[name] = () => { throw 1; };
}
result = 1;
