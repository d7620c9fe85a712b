// A body that comes in drops.
// expect: contained or timeout

function denied(url, options = {}) {
  try {
    http_request(options.method ?? 'GET', url, options);
    return false;
  } catch {
    return true;
  }
}

result = denied(`${OPEN}/drip`) ? 'contained' : 'whole';
