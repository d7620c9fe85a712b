// The classes of fetch, without a network.
const headers = new Headers({ "Content-Type": "text/plain", "X-Number": 5 });
headers.append("X-Number", "6");
headers.append("Set-Cookie", "a=1");
headers.append("Set-Cookie", "b=2");
headers.set("Accept", " spaced ");
console.log([...headers], headers.get("x-number"), headers.get("none"), headers.has("ACCEPT"), headers.getSetCookie(), [
  ...new Headers([
    ["a", "1"],
    ["b", "2"],
  ]).keys(),
]);
headers.delete("x-number");
console.log(headers.has("x-number"), new Headers(headers).get("accept"));
for (const action of [
  () => headers.set("bad name", "x"),
  () => headers.set("x", "line\nbreak"),
  () => new Headers(5),
]) {
  try {
    action();
  } catch (error) {
    console.log(error.name);
  }
}
const request = new Request("https://example.com/a b?x=1", {
  method: "post",
  body: JSON.stringify({ a: 1 }),
  headers: { "X-A": "1" },
});
console.log(
  request.method,
  request.url,
  request.headers.get("content-type"),
  request.headers.get("x-a"),
  request.bodyUsed,
  request.redirect,
);
const changed = new Request(request.clone(), { method: "PUT" });
console.log(changed.method, changed.url);
for (const action of [
  () => new Request("/relative"),
  () => new Request("http://x", { body: "x" }),
  () => new Request("http://x", { method: "A B" }),
  () => new Response("x", { status: 99 }),
  () => new Response("x", { status: 204 }),
]) {
  try {
    action();
    console.log("allowed");
  } catch (error) {
    console.log(error.name);
  }
}
const response = new Response("héllo", { status: 201, statusText: "Made", headers: { "X-B": "2" } });
console.log(
  response.status,
  response.statusText,
  response.ok,
  response.headers.get("content-type"),
  response.type,
  response.url,
  response.redirected,
);
async function main() {
  console.log(await request.json(), request.bodyUsed);
  const copy = response.clone();
  console.log(await response.text(), (await copy.arrayBuffer()).byteLength, response.bodyUsed);
  try {
    await response.text();
  } catch (error) {
    console.log(error.name);
  }
  console.log(
    await Response.json({ a: [1] }).json(),
    Response.json({}).headers.get("content-type"),
    Response.redirect("http://x/y", 301).headers.get("location"),
    Response.error().type,
  );
  console.log(
    await new Response(new URLSearchParams({ a: "1 2" })).text(),
    new Response(new URLSearchParams()).headers.get("content-type"),
    await new Response(new Uint8Array([104, 105])).text(),
    await new Response(null).text(),
    new Response().body,
  );
  console.log(
    (await new Response("blob", { headers: { "content-type": "text/css" } }).blob()).type,
    await new Response("{").json().catch((error) => error.name),
    await new Response(new Blob(["from ", "blob"])).text(),
  );
  const pieces = [];
  for await (const piece of new Response("streamed").body) pieces.push(new TextDecoder().decode(piece));
  console.log(pieces.join(""));
}
main();
