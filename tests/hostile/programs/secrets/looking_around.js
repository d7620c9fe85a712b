// Every place where a secret could lie that the host has just added to a request.
// expect: contained

const sent = http_get(`${OPEN}/echo`).text.includes('Authorization: Bearer [redacted]');
const needle = 'hunter' + '2';
const seen = new Set();
let found = false;
(function look(value, depth) {
  if (typeof value === 'string' && value.includes(needle) && value !== needle) found = true;
  if (depth > 4 || value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) {
    try {
      const inner = value[key];
      // Some getters of streams give a promise that is rejected already.
      if (inner instanceof Promise) inner.catch(() => {});
      look(inner, depth + 1);
    } catch {}
  }
})(globalThis, 0);
result = sent && !found ? 'contained' : 'found';
