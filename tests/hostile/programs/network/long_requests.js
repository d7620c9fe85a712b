// Requests of every excess.
// expect: contained

function denied(url, options = {}) {
  try {
    http_request(options.method ?? 'GET', url, options);
    return false;
  } catch {
    return true;
  }
}


const attempts = [
  denied(`${OPEN}/${'x'.repeat(100_000)}`),
  denied(`${OPEN}/ok?${'x'.repeat(100_000)}`),
  denied(`${OPEN}/ok`, { headers: { x: 'y'.repeat(100_000) } }),
  denied(`${OPEN}/ok`, { headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`x${n}`, 'y'])) }),
  denied(`${OPEN}/ok`, { method: 'POST', body: 'x'.repeat(3_000_000) }),
];
result = attempts.every(Boolean) ? 'contained' : attempts;
