// Line breaks where they would end a header.
// expect: contained

function outcome(options) {
  try {
    return http_request(options.method ?? 'GET', options.url ?? `${OPEN}/echo`, options).text;
  } catch {
    return '';
  }
}

const texts = [
  outcome({ headers: { x: 'a\r\nInjected: 1' } }),
  outcome({ headers: { 'x\r\nInjected': '1' } }),
  outcome({ headers: { x: 'a\nInjected: 1' } }),
  outcome({ url: `${OPEN}/echo HTTP/1.1\r\nInjected: 1\r\nx: ` }),
  outcome({ method: 'GET /echo HTTP/1.1\r\nInjected: 1\r\n' }),
  outcome({ headers: { 'transfer-encoding': 'chunked', 'content-length': '100' } }),
  outcome({ headers: { connection: 'upgrade', upgrade: 'h2c' } }),
];
const bad = texts.filter((text) => /\n(injected|upgrade):/i.test(text));
result = bad.length === 0 ? 'contained' : bad;
