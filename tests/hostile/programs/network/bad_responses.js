// Servers that break off, lie or speak something else.
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
  `${OPEN}/short`,
  `${OPEN}/two-lengths`,
  `${OPEN}/garbage`,
  `${OPEN}/not-http`,
  `${OPEN}/upgrade`,
  `${OPEN}/nul-header`,
  `${OPEN}/many-headers`,
  `${OPEN}/long-header`,
  `${OPEN}/interim`,
];
const reached = urls.filter((url) => !denied(url));
result = reached.length === 0 ? 'contained' : reached;
