// Redirects to where nothing may go.
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
  `${OPEN}/to-closed`,
  `${OPEN}/to-closed-307`,
  `${OPEN}/to-file`,
  `${OPEN}/to-metadata`,
  `${OPEN}/loop`,
  `${OPEN}/to-chain`,
  `${OPEN}/to-user-name`,
];
const reached = urls.filter((url) => !denied(url));
result = reached.length === 0 ? 'contained' : reached;
