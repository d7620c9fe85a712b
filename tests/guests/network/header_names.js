// The names of headers, as the server and the program spell them. `Headers` of fetch has them in lower case.
const url = `${BASE_URL}/names`;
result = {};

const got = http_get(url).headers;
result.http_get = [{ ...got }, got["content-type"], got["CONTENT-TYPE"], "etag" in got, JSON.parse(JSON.stringify(got)), Object.hasOwn(got, "x-mixed-case"), got.absent === undefined];
const answer = await fetch(url);
result.fetch = [[...answer.headers.keys()], answer.headers.get("Content-TYPE"), answer.headers.getSetCookie()];

const headers = { "X-API-Key": "1", "x-lower": "2", X_Under: "3", "content-TYPE": "text/plain" };
const named = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
const sent = (pairs) => pairs.map(([name]) => name).filter((name) => named.has(name.toLowerCase()));
const echo = `${BASE_URL}/echo`;
result.sent = {
  http_post: sent(http_post(echo, "x", { headers }).json.headers),
  fetch: sent((await (await fetch(echo, { method: "POST", headers, body: "x" })).json()).headers),
};
