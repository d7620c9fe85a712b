// A header that names another host.
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
  denied(`${OPEN}/echo`, { headers: { host: 'internal.example' } }),
  denied(`${OPEN}/echo`, { headers: { Host: `127.0.0.1:${CLOSED_PORT}` } }),
];
result = attempts.every(Boolean) ? 'contained' : attempts;
