// Sockets, without the capability for requests.
// expect: contained

const opened = [];
for (const name of ['net', 'dgram', 'tls', 'http2']) {
  try {
    const net = await import(name);
    const connection = net.connect(CLOSED_PORT, '127.0.0.1');
    await new Promise((resolve, reject) => {
      connection.on('connect', resolve);
      connection.on('error', reject);
      setTimeout(reject, 200);
    });
    opened.push(name);
  } catch {}
}
for (const name of ['WebSocket', 'XMLHttpRequest', 'EventSource', 'WebTransport']) {
  try {
    new globalThis[name](`http://127.0.0.1:${CLOSED_PORT}/`);
    opened.push(name);
  } catch {}
}
result = opened.length === 0 ? 'contained' : opened;
