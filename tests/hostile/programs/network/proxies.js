// Asks the host to use a proxy.
// expect: contained

for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'all_proxy', 'ALL_PROXY']) {
  try {
    process.env[name] = `http://127.0.0.1:${CLOSED_PORT}`;
  } catch {}
}
http_get(`${OPEN}/ok`);
result = 'contained';
