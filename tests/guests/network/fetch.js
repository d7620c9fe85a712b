// `fetch` and its classes, as programs know them.
result = {};

const headers = new Headers({ "X-Who": "fetch" });
let answer = await fetch(`${BASE_URL}/echo`, { method: "POST", headers, body: JSON.stringify({ b: null }) });
let seen = await answer.json();
result.post = [answer.status, answer.ok, seen.method, seen.who, seen.body, answer.headers.get("Content-Type")];

answer = await fetch(new Request(`${BASE_URL}/echo?a=1`, { method: "PUT", body: new TextEncoder().encode("bytes") }));
result.request = [answer instanceof Response, (await answer.clone().json()).method, (await answer.json()).body, answer.bodyUsed];

answer = await fetch(`${BASE_URL}/moved`);
result.redirect = [answer.status, answer.redirected, answer.url.endsWith("/echo")];

answer = await fetch(`${BASE_URL}/missing`);
result.missing = [answer.status, answer.ok, await answer.text()];

try {
  await fetch("http://192.0.2.1/");
} catch (error) {
  result.denied = [error instanceof Error, error.message.includes("is not allowed")];
}

try {
  await fetch(`${BASE_URL}/silence`, { signal: AbortSignal.timeout(200) });
} catch (error) {
  result.timeout = error.name;
}

const [one, two] = await Promise.all([fetch(`${BASE_URL}/echo?1`), fetch(`${BASE_URL}/echo?2`)]);
result.together = [one.url.slice(-2), two.url.slice(-2)];

const form = new URLSearchParams({ name: "a b", more: "ü" });
answer = await fetch(`${BASE_URL}/echo`, { method: "POST", body: form });
seen = await answer.json();
result.form = [seen.body, seen.type];
