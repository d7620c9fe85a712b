// Addresses in numbers of every kind.
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
  `http://2130706433:${CLOSED_PORT}/`,
  `http://0x7f000001:${CLOSED_PORT}/`,
  `http://0177.0.0.1:${CLOSED_PORT}/`,
  `http://127.1:${CLOSED_PORT}/`,
  `http://0x7f.1:${CLOSED_PORT}/`,
  `http://[::ffff:127.0.0.1]:${CLOSED_PORT}/`,
  `http://[::ffff:7f00:1]:${CLOSED_PORT}/`,
  `http://[64:ff9b::7f00:1]:${CLOSED_PORT}/`,
  `http://[2002:7f00:1::]:${CLOSED_PORT}/`,
  `http://①②⑦.⓪.⓪.①:${CLOSED_PORT}/`,
];
const reached = urls.filter((url) => !denied(url));
result = reached.length === 0 ? 'contained' : reached;
