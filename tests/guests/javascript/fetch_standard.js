// Headers, bodies, requests and responses as the standard of fetch has them.

const attempt = async (work) => {
  try {
    return await work();
  } catch (error) {
    return error.name;
  }
};
const show = async (name, work) => console.log(name, await attempt(work));
const read = async (stream) => {
  const pieces = [];
  for await (const piece of stream) pieces.push(typeof piece === "string" ? piece : new TextDecoder().decode(piece));
  return pieces.join("|");
};

// Headers.
await show("names are normalised", () => [...new Headers({ "X-B": "1", a: "2", "Content-TYPE": "3" })].join(" "));
await show("combined", () => {
  const headers = new Headers([["a", "1"], ["B", "2"]]);
  headers.append("A", " 3 ");
  return [headers.get("a"), [...headers.keys()], [...headers.values()]].join(" ");
});
await show("set-cookie", () => {
  const headers = new Headers([["set-cookie", "a=1"], ["Set-Cookie", "b=2"], ["x", "y"]]);
  return JSON.stringify([headers.getSetCookie(), headers.get("set-cookie"), [...headers]]);
});
await show("deleted while iterating", () => {
  const headers = new Headers({ a: "1", b: "2", c: "3" });
  const seen = [];
  for (const [name] of headers) {
    seen.push(name);
    headers.delete(name);
  }
  return [seen, [...headers.keys()]].join(" ");
});
await show("added while iterating", () => {
  const headers = new Headers({ b: "2" });
  const seen = [];
  for (const [name] of headers) {
    seen.push(name);
    if (seen.length < 4) headers.append("c", "3"), headers.append("a", "1");
  }
  return seen.join();
});
for (const [name, work] of Object.entries({
  "no value": () => new Headers().append("a"),
  "a pair of one": () => new Headers([["a"]]),
  "a pair of three": () => new Headers([["a", "b", "c"]]),
  "a string": () => new Headers("a"),
  "a number": () => new Headers(1),
  null: () => new Headers(null),
  undefined: () => [...new Headers(undefined)].length,
  "an invalid name": () => new Headers({ "a b": "1" }),
  "an empty name": () => new Headers({ "": "1" }),
  "a line break": () => new Headers({ a: "b\nc" }),
  "line breaks around": () => new Headers({ a: "\r\n b \n" }).get("a"),
  "a wide character": () => new Headers({ a: "\u0100" }),
  "a symbol": () => new Headers({ [Symbol("a")]: "1" }),
  "a value of another type": () => new Headers({ a: null, b: undefined, c: 3, d: [1, 2] }).get("a") + "undefined",
  "no new": () => Headers(),
  "get without a name": () => new Headers().get(),
  "an invalid name to get": () => new Headers().get("a b"),
  "an iterator of its own": () => Object.prototype.toString.call(new Headers().entries()),
  "entries is the iterator": () => Headers.prototype[Symbol.iterator] === Headers.prototype.entries,
  "forEach without a function": () => new Headers({ a: "1" }).forEach(),
  "forEach": () => {
    const seen = [];
    new Headers({ b: "1", a: "2" }).forEach(function (value, name, all) {
      seen.push(value, name, all instanceof Headers, this.x);
    }, { x: 1 });
    return seen.join();
  },
  "a map": () => [...new Headers(new Map([["a", "1"]]))].join(),
  "other headers": () => [...new Headers(new Headers([["set-cookie", "1"], ["set-cookie", "2"]]))].join(" "),
  "enumerable": () => Object.keys(Headers.prototype).join() + Headers.length + Headers.prototype.append.length,
}))
  await show(`headers: ${name}`, async () => {
    const outcome = await work();
    return outcome instanceof Headers ? [...outcome].join(" ") : outcome;
  });

// Bodies that are read, locked and copied.
await show("read twice", async () => {
  const response = new Response("a");
  const states = [response.bodyUsed];
  states.push(await response.text(), response.bodyUsed);
  return [...states, await attempt(() => response.text()), await attempt(() => response.clone())].join();
});
await show("locked by a reader", async () => {
  const response = new Response("abc");
  const reader = response.body.getReader();
  const states = [response.bodyUsed, response.body.locked, await attempt(() => response.text()), await attempt(() => response.clone())];
  reader.releaseLock();
  return [...states, response.bodyUsed, response.body.locked, await response.text()].join();
});
await show("partly read", async () => {
  const response = new Response(new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("a"));
      controller.enqueue(new TextEncoder().encode("b"));
      controller.close();
    },
  }));
  const reader = response.body.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  reader.releaseLock();
  return [first, response.bodyUsed, await attempt(() => response.text()), await attempt(() => response.clone())].join();
});
await show("partly read bytes", async () => {
  const response = new Response("ab");
  const reader = response.body.getReader();
  await reader.read();
  reader.releaseLock();
  return [response.bodyUsed, await attempt(() => response.text()), await attempt(() => response.clone())].join();
});
await show("cancelled", async () => {
  const response = new Response("ab");
  await response.body.cancel();
  return [response.bodyUsed, await attempt(() => response.text())].join();
});
await show("a copy", async () => {
  const response = new Response("abc", { status: 201, statusText: "Made", headers: { a: "1" } });
  const copy = response.clone();
  copy.headers.set("a", "2");
  return [await copy.text(), response.bodyUsed, await response.text(), copy.status, copy.statusText, response.headers.get("a"), copy.headers.get("a")].join();
});
await show("a copy of a stream", async () => {
  const response = new Response(new Blob(["xy"]).stream());
  const copy = response.clone();
  return [await read(copy.body), await response.text(), response.bodyUsed, copy.bodyUsed].join();
});
await show("no body", async () => {
  const response = new Response();
  return [response.body, response.bodyUsed, JSON.stringify(await response.text()), response.bodyUsed, JSON.stringify(await response.text())].join();
});
await show("an empty body", async () => {
  const response = new Response("");
  return [response.body instanceof ReadableStream, await response.text(), response.bodyUsed].join();
});
await show("the same stream", () => {
  const response = new Response("a");
  return [response.body === response.body, response.body.locked].join();
});
await show("a stream that is locked", () => {
  const stream = new ReadableStream();
  stream.getReader();
  return new Response(stream);
});
await show("a stream that is disturbed", async () => {
  const stream = new Blob(["a"]).stream();
  const reader = stream.getReader();
  await reader.read();
  reader.releaseLock();
  return new Response(stream);
});
await show("text and json", async () => [await new Response('{"a":1}').json(), await attempt(() => new Response("{").json()), await attempt(() => new Response().json())]);
await show("bytes", async () => [(await new Response(new Uint8Array([1, 2, 3]).subarray(1)).arrayBuffer()).byteLength, (await new Response(new Uint16Array(2)).blob()).size]);
await show("a mark at the start", async () => JSON.stringify(await new Response(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])).text()));
await show("a stream of texts", async () => await new Response(new ReadableStream({ start(c) { c.enqueue("a"); c.close(); } })).text());
await show("a stream that fails", async () => await new Response(new ReadableStream({ start(c) { c.error(new RangeError("no")); } })).text());
for (const [name, body] of Object.entries({ text: "a", params: new URLSearchParams("a=1"), blob: new Blob(["a"], { type: "A/b" }), untyped: new Blob(["a"]), buffer: new ArrayBuffer(1), nothing: null, other: 5, object: {} }))
  await show(`type of ${name}`, async () => [new Response(body).headers.get("content-type"), new Request("http://a/", { method: "POST", body }).headers.get("content-type"), (await new Response(body).text()).length]);

// Responses.
await show("json", async () => {
  const response = Response.json({ a: [1] }, { status: 202, headers: { "x-a": "1" } });
  return [response.status, response.headers.get("content-type"), response.headers.get("x-a"), await response.text()].join();
});
await show("json of nothing", () => Response.json(undefined));
await show("json of a symbol", () => Response.json(Symbol("a")));
await show("json without a body", () => Response.json({}, { status: 204 }));
await show("json with a type", () => Response.json(1, { headers: { "content-type": "a/b" } }).headers.get("content-type"));
await show("redirect", () => {
  const response = Response.redirect("http://a/b?c#d", 301);
  return [response.status, response.headers.get("location"), response.ok, response.body, response.type].join();
});
await show("redirect by default", () => Response.redirect("http://a").status);
await show("redirect to nowhere", () => Response.redirect("a"));
await show("redirect of another status", () => Response.redirect("http://a", 200));
await show("redirect, changed", () => Response.redirect("http://a").headers.set("a", "1"));
await show("error", () => {
  const response = Response.error();
  return [response.status, response.type, response.ok, response.body, [...response.headers].length, JSON.stringify(response.statusText)].join();
});
await show("error, changed", () => Response.error().headers.append("a", "1"));
for (const init of [{ status: 199 }, { status: 600 }, { status: 200.9 }, { status: "201" }, { status: NaN }, { status: 204 }, { statusText: "a\nb" }, { statusText: "\u0100" }, { status: undefined }, null])
  await show(`init ${JSON.stringify(init)}`, () => new Response(null, init).status);
for (const status of [101, 204, 205, 304, 200]) await show(`a body for ${status}`, () => new Response("a", { status }).status);
await show("defaults", () => {
  const { status, statusText, ok, type, url, redirected, bodyUsed } = new Response();
  return JSON.stringify({ status, statusText, ok, type, url, redirected, bodyUsed });
});
await show("no new", () => Response());

// Requests.
await show("a request", async () => {
  const request = new Request("http://a/b#c", { method: "post", headers: { a: "1" }, body: "x" });
  return [request.url, request.method, request.headers.get("A"), request.headers.get("content-type"), await request.text(), request.bodyUsed].join();
});
await show("a request of a request", async () => {
  const first = new Request("http://a/", { method: "PUT", body: "x", headers: { a: "1" } });
  const second = new Request(first, { headers: { b: "2" } });
  return [second.method, [...second.headers].join(" "), first.bodyUsed, await second.text(), await attempt(() => first.text()), await attempt(() => new Request(first))].join();
});
await show("a request of a request with another body", async () => {
  const first = new Request("http://a/", { method: "PUT", body: "x" });
  const second = new Request(first, { body: "y" });
  return [first.bodyUsed, await second.text(), await first.text()].join();
});
await show("a copy of a request", async () => {
  const request = new Request("http://a/", { method: "POST", body: "x" });
  const copy = request.clone();
  return [await copy.text(), await request.text(), await attempt(() => request.clone())].join();
});
for (const [name, work] of Object.entries({
  "a body for GET": () => new Request("http://a/", { body: "a" }),
  "a body for HEAD": () => new Request("http://a/", { method: "HEAD", body: "a" }),
  "an invalid method": () => new Request("http://a/", { method: "a b" }),
  "a forbidden method": () => new Request("http://a/", { method: "TRACE" }),
  "a forbidden method in small letters": () => new Request("http://a/", { method: "connect" }),
  "methods": () => ["get", "Post", "patch", "delete", "OPTIONS", "head", "put", "custom"].map((method) => new Request("http://a/", { method }).method).join(),
  "a relative address": () => new Request("a"),
  "an address with a password": () => new Request("http://a:b@c/"),
  "no address": () => new Request(),
  "a URL": () => new Request(new URL("http://a/b")).url,
  "an unknown mode": () => new Request("http://a/", { mode: "x" }),
  "an unknown redirect": () => new Request("http://a/", { redirect: "x" }),
  "an unknown cache": () => new Request("http://a/", { cache: "x" }),
  "an unknown credentials": () => new Request("http://a/", { credentials: "x" }),
  "a signal of another type": () => new Request("http://a/", { signal: {} }),
  "an invalid header": () => new Request("http://a/", { headers: { "a b": "1" } }),
  "a stream without duplex": () => new Request("http://a/", { method: "POST", body: new ReadableStream() }),
  "a stream": () => new Request("http://a/", { method: "POST", body: new Blob(["a"]).stream(), duplex: "half" }).text(),
  defaults: () => {
    const { mode, credentials, cache, redirect, referrer, referrerPolicy, integrity, keepalive, duplex, body, bodyUsed, destination } = new Request("http://a/");
    return JSON.stringify({ mode, credentials, cache, redirect, referrer, referrerPolicy, integrity, keepalive, duplex, body, bodyUsed, destination });
  },
  "a signal": () => {
    const controller = new AbortController();
    const request = new Request("http://a/", { signal: controller.signal });
    const before = request.signal.aborted;
    controller.abort();
    return [before, request.signal.aborted, request.signal === controller.signal].join();
  },
}))
  await show(`request: ${name}`, async () => {
    const outcome = await work();
    return outcome instanceof Request ? outcome.url : outcome;
  });
