// The host, past every library. There is no way to it by name.
// expect: contained

const found = [];
for (const name of ['isolette:waist/host', 'isolette:waist/host@0.1.0', 'isolette:sandbox/capabilities', 'host', './host.js']) {
  try {
    found.push([name, Object.keys(await import(name))]);
  } catch {}
  try {
    found.push([name, Object.keys(require(name))]);
  } catch {}
}
const seen = new Set();
function look(value, path) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || path.length > 6) return;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) {
    const name = String(key);
    if (/^(host|waist|__host)$/i.test(name) && typeof value[key] === 'object') found.push([...path, name]);
    try {
      const inner = value[key];
      // Some getters of streams give a promise that is rejected already.
      if (inner instanceof Promise) inner.catch(() => {});
      look(inner, [...path, name]);
    } catch {}
  }
}
look(globalThis, []);
result = found.length === 0 ? 'contained' : found;
