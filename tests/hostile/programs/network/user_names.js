// Hosts that only look like the one that is allowed.
// expect: contained

function denied(url, options = {}) {
  try {
    http_request(options.method ?? 'GET', url, options);
    return false;
  } catch {
    return true;
  }
}

const urls = [
  `http://127.0.0.1:${OPEN_PORT}@127.0.0.1:${CLOSED_PORT}/`,
  `http://127.0.0.1:${CLOSED_PORT}#@127.0.0.1:${OPEN_PORT}/`,
  `http://127.0.0.1:${CLOSED_PORT}?@127.0.0.1:${OPEN_PORT}/`,
  `http://127.0.0.1:${OPEN_PORT}.evil.test/`,
  `http://127.0.0.1:${CLOSED_PORT}\\@127.0.0.1:${OPEN_PORT}/`,
  `http:127.0.0.1:${CLOSED_PORT}/`,
  `http:////127.0.0.1:${CLOSED_PORT}/`,
  `http://127.0.0.1:${OPEN_PORT}0/`,
];
const reached = urls.filter((url) => !denied(url));
result = reached.length === 0 ? 'contained' : reached;
