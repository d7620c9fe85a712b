// Methods that turn a request into something else.
// expect: contained

function denied(url, options = {}) {
  try {
    http_request(options.method ?? 'GET', url, options);
    return false;
  } catch {
    return true;
  }
}


const methods = ['CONNECT', 'TRACE', 'TRACK', 'connect', 'GET ', 'G\x00T', 'X'.repeat(10_000)];
const reached = methods.filter((method) => !denied(`${OPEN}/ok`, { method })).map((method) => method.slice(0, 20));
result = reached.length === 0 ? 'contained' : reached;
