// This machine, by all of its names.
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
  `http://127.0.0.1:${CLOSED_PORT}/`,
  `http://localhost:${CLOSED_PORT}/`,
  `http://localhost.:${CLOSED_PORT}/`,
  `http://LOCALHOST:${CLOSED_PORT}/`,
  `http://[::1]:${CLOSED_PORT}/`,
  `http://0.0.0.0:${CLOSED_PORT}/`,
  `http://[::]:${CLOSED_PORT}/`,
  `http://127.0.0.2:${CLOSED_PORT}/`,
  `http://a.localhost:${CLOSED_PORT}/`,
];
const reached = urls.filter((url) => !denied(url));
result = reached.length === 0 ? 'contained' : reached;
