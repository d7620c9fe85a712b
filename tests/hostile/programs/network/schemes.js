// URLs with schemes other than HTTP.
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
  `file:///etc/passwd`,
  `gopher://127.0.0.1:${CLOSED_PORT}/_x`,
  `ftp://127.0.0.1:${CLOSED_PORT}/`,
  `data:text/plain,x`,
  `dict://127.0.0.1:${CLOSED_PORT}/`,
  `ws://127.0.0.1:${CLOSED_PORT}/`,
  `jar:http://127.0.0.1:${CLOSED_PORT}/!/`,
  `unix:///var/run/docker.sock`,
  `javascript:1`,
  `//127.0.0.1:${CLOSED_PORT}/`,
];
const reached = urls.filter((url) => !denied(url));
result = reached.length === 0 ? 'contained' : reached;
