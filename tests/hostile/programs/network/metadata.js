// Where clouds keep the keys.
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
  `http://169.254.169.254/latest/meta-data/`,
  `http://[fd00:ec2::254]/latest/meta-data/`,
  `http://metadata.google.internal/`,
  `http://100.100.100.200/`,
  `http://168.63.129.16/`,
  `http://0xa9fea9fe/`,
  `http://[::ffff:169.254.169.254]/`,
  `http://169.254.170.2/`,
  `http://192.0.0.192/`,
];
const reached = urls.filter((url) => !denied(url));
result = reached.length === 0 ? 'contained' : reached;
