// Line breaks where they would end a header.
// expect: contained

function told(options) {
  try {
    return http_request(options.method ?? 'GET', options.url ?? `${OPEN}/echo`, options).text;
  } catch {
    return '';
  }
}

const texts = [
  told({ headers: { x: 'a\r\nInjected: 1' } }),
  told({ headers: { 'x\r\nInjected': '1' } }),
  told({ headers: { x: 'a\nInjected: 1' } }),
  told({ url: `${OPEN}/echo HTTP/1.1\r\nInjected: 1\r\nx: ` }),
  told({ method: 'GET /echo HTTP/1.1\r\nInjected: 1\r\n' }),
  told({ headers: { 'transfer-encoding': 'chunked', 'content-length': '100' } }),
  told({ headers: { connection: 'upgrade', upgrade: 'h2c' } }),
];
const bad = texts.filter((text) => /\n(injected|upgrade):/i.test(text));
result = bad.length === 0 ? 'contained' : bad;
