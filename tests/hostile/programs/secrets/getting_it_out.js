// Asks a server to send the secret back in every part of a response.
// expect: contained

const paths = [
  '/echo',
  '/spelled',
  '/reflect-header',
  '/reflect-redirect',
  '/reflect-nowhere',
  '/reflect-denied',
  '/reflect-cut',
  '/reflect-broken',
];
const replies = {};
for (const path of paths) {
  try {
    const response = http_get(`${OPEN}${path}`, { headers: { Authorization: 'Bearer mine' } });
    replies[path] = JSON.stringify([response.url, response.headers, response.text, response.body]);
  } catch (error) {
    replies[path] = [String(error), error.message, error.stack, String(error.cause)].join(' ');
  }
}
console.log(replies);
write_file('/output/replies.txt', JSON.stringify(replies));

// Not even how it begins.
const needle = 'hunt' + 'er';
const found = paths.filter((path) => replies[path].includes(needle));
// It was there to be found: the server was sent something in place of what this program sent.
const missed = ['/echo', '/spelled', '/reflect-header', '/reflect-redirect'].filter((path) => !replies[path].includes('[redacted]'));
result = found.length === 0 && missed.length === 0 && !replies['/echo'].includes('mine') ? 'contained' : [found, missed];
