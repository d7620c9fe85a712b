// Every place where a secret could lie.
// expect: contained

const needle = 'hunter' + '2';
const seen = new Set();
let found = false;
(function look(value, depth) {
  if (typeof value === 'string' && value.includes(needle) && value !== needle) found = true;
  if (depth > 4 || value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) {
    try {
      look(value[key], depth + 1);
    } catch {}
  }
})(globalThis, 0);
result = found ? 'found' : 'contained';
