// What goes out arrives as it was, and what comes back too.
const url = new URL(`${BASE_URL}/echo`);
for (const [name, value] of [["q", "a b&c"], ["again", "1"], ["again", "2"]]) url.searchParams.append(name, value);
const response = await fetch(url, {
  method: "PUT",
  headers: { "X-Colour": "green", "Content-Type": "application/octet-stream" },
  body: Uint8Array.from({ length: 256 }, (_, index) => index),
});
result = {
  status: response.status,
  body: [...new Uint8Array(await response.arrayBuffer())],
  method: response.headers.get("x-method"),
  colour: response.headers.get("x-colour"),
  query: response.headers.get("x-query"),
};
