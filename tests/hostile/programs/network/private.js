// Networks behind the host.
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
  `http://10.0.0.1/`,
  `http://172.16.0.1/`,
  `http://192.168.0.1/`,
  `http://100.64.0.1/`,
  `http://[fc00::1]/`,
  `http://[fe80::1]/`,
  `http://224.0.0.1/`,
  `http://255.255.255.255/`,
  `http://[ff02::1]/`,
];
const reached = urls.filter((url) => !denied(url));
result = reached.length === 0 ? 'contained' : reached;
