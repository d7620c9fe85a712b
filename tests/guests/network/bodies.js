// What a body becomes, by its content type, and what else can be asked of it.
result = {};
for (const path of ["json", "text", "bytes", "broken-json", "latin1", "none"]) {
  const response = http_get(`${BASE_URL}/${path}`);
  const body = response.body;
  result[path] = {
    body: body instanceof Uint8Array ? [...body] : body,
    text: response.text ?? null,
    json: response.json ?? null,
    ok: response.ok,
    type: response.headers["content-type"] ?? null,
  };
}
