// Asks a server to send the secret back in every part of a response.
// expect: contained

const paths = [
  '/echo',
  '/spelled',
  '/tell-header',
  '/tell-redirect',
  '/tell-nowhere',
  '/tell-denied',
  '/tell-cut',
  '/tell-broken',
];
const told = {};
for (const path of paths) {
  try {
    const response = http_get(`${OPEN}${path}`, { headers: { Authorization: 'Bearer mine' } });
    told[path] = JSON.stringify([response.url, response.headers, response.text, response.body]);
  } catch (error) {
    told[path] = [String(error), error.message, error.stack, String(error.cause)].join(' ');
  }
}
console.log(told);
write_file('/output/told.txt', JSON.stringify(told));

// Not even how it begins.
const needle = 'hunt' + 'er';
const found = paths.filter((path) => told[path].includes(needle));
// It was there to be found: the server was sent something in place of what this program sent.
const missed = ['/echo', '/spelled', '/tell-header', '/tell-redirect'].filter((path) => !told[path].includes('[redacted]'));
result = found.length === 0 && missed.length === 0 && !told['/echo'].includes('mine') ? 'contained' : [found, missed];
