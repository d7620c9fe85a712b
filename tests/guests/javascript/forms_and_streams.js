// FormData, URLSearchParams, URL and streams as their standards have them.

const attempt = async (work) => {
  try {
    return await work();
  } catch (error) {
    return error?.name ?? error;
  }
};
const show = async (name, work) => console.log(name, await attempt(work));
const all = async (stream) => {
  const pieces = [];
  for await (const piece of stream) pieces.push(piece instanceof Uint8Array ? `<${piece}>` : piece);
  return pieces.join("|");
};

// FormData.
await show("form", () => {
  const form = new FormData();
  form.append("a", 1);
  form.append("b", "2");
  form.append("a", null);
  form.set("b", new Blob(["x"], { type: "t/x" }), "n.txt");
  form.append("c", new File(["y"], "f.y"));
  form.set("a", "last");
  const shown = [...form].map(([name, value]) => [name, typeof value === "string" ? value : `${value.name} ${value.type} ${value.size} ${value instanceof File}`].join("="));
  return [shown, form.get("z"), form.getAll("a"), form.has("c")].join(" ");
});
await show("a name for a text", () => new FormData().append("a", "b", "c"));
await show("no value", () => new FormData().append("a"));
await show("an argument", () => new FormData({}));
await show("half a pair", () => { const form = new FormData(); form.append("\ud800", "\udc00"); return [...form][0].map((text) => text.charCodeAt(0)).join(); });
await show("an unnamed blob", () => { const form = new FormData(); form.append("a", new Blob(["x"])); return form.get("a").name; });
await show("added while iterating", () => {
  const form = new FormData();
  form.append("a", "1");
  const seen = [];
  for (const [name] of form) {
    seen.push(name);
    if (seen.length < 3) form.append("b", "2");
  }
  return seen.join();
});
await show("an iterator", () => [Object.prototype.toString.call(new FormData().keys()), FormData.prototype[Symbol.iterator] === FormData.prototype.entries].join());
await show("there and back", async () => {
  const form = new FormData();
  form.append("a\"\r\n", "1\r2\n3");
  form.append("f", new File(["é"], "ü\".txt", { type: "text/x" }));
  const back = await new Response(form).formData();
  return [...back].map(([name, value]) => JSON.stringify([name, typeof value === "string" ? value : [value.name, value.type, value.size]])).join(" ");
});
await show("an encoded form", async () => [...(await new Response(new URLSearchParams("a=1&b=%20+&a=2")).formData())].join(" "));
await show("no form", () => new Response("a=1").formData());

// URLSearchParams.
for (const init of ["a=1&b=2", "?a=1", "??a", "a", "=b", "&&a=&", "a=1=2", "a+b=c%20d", "%zz=%", "é=ü", "a=%F0%9F%98%80", { a: 1, b: [1, 2] }, [["a", "b"], ["a", "c"]], new Map([["x", "y"]]), undefined, "a=\ud800"])
  await show(`params ${JSON.stringify(init)}`, () => { const params = new URLSearchParams(init); return [`${params}`, params.size, [...params].join(";")].join(" "); });
for (const init of [[["a"]], [["a", "b", "c"]], [1], 5])
  await show(`params ${JSON.stringify(init)}`, () => `${new URLSearchParams(init)}`);
await show("params change", () => {
  const params = new URLSearchParams("a=1&b=2&a=3");
  params.append("c", "&=");
  params.set("a", "x");
  params.delete("b", "1");
  const states = [`${params}`, params.has("b", "2"), params.has("b", "3"), params.get("z"), params.getAll("a")];
  params.sort();
  params.delete("b");
  return [...states, `${params}`].join(" ");
});
await show("params sorted", () => { const params = new URLSearchParams("z=1&\uffff=2&\u{1f600}=3&a=4&a=3"); params.sort(); return [...params.keys()].map((key) => key.codePointAt(0).toString(16)).join(); });
await show("params without arguments", () => new URLSearchParams().append("a"));
await show("params linked", () => {
  const url = new URL("http://a/?x=1#h");
  url.searchParams.append("y", "é ");
  const first = url.href;
  url.search = "?z=~";
  const states = [first, url.searchParams.get("z"), url.searchParams.get("x")];
  url.searchParams.delete("z");
  return [...states, url.href].join(" ");
});

// URL.
for (const [text, base] of [["http://EXAMPLE.com:80/a/../b/./c?d#e"], ["../x", "http://a/b/c/d"], ["//h/p", "https://a/"], ["?q", "http://a/b?c#d"], ["#f", "http://a/b?c"], ["", "http://a/b?c#d"], ["http://a b/"], ["http://[::1]:8080/"], ["http://256.1/"], ["http://0x7f.1/"], ["http://user:pa%20ss@h/"], ["file:///C:/a/../b"], ["mailto:a@b"], ["data:text/plain,é"], ["http://ü.de/ü?ü#ü"], ["http://a:99999/"], ["http://a/%zz"], ["x"], ["blob:http://a/b"], ["javascript:1"], ["http:a", "http://b/c"], ["http://a\\b\\c"], ["  http://a/ \n"], ["ht\ntp://a/"], ["http://a/\u{1f600}"]])
  await show(`url ${JSON.stringify([text, base])}`, () => { const url = new URL(text, base); return [url.href, url.origin, url.host, url.pathname, url.search, url.hash].join(" "); });
await show("url parts", () => {
  const url = new URL("http://a:81/b?c#d");
  url.port = "80";
  url.protocol = "https";
  url.hostname = "x y";
  url.pathname = "é";
  url.hash = "";
  url.username = "u:";
  url.host = "z:443";
  url.protocol = "mailto";
  return [url.href, URL.canParse("a"), URL.canParse("a", "http://b"), JSON.stringify({ url })].join(" ");
});
await show("url without new", () => URL("http://a"));

// Streams.
const counting = (count) => {
  let index = 0;
  return new ReadableStream({
    pull(controller) {
      if (index === count) controller.close();
      else controller.enqueue((index += 1));
    },
  });
};
await show("read", () => all(counting(3)));
await show("from", async () => [await all(ReadableStream.from([1, 2])), await all(ReadableStream.from((async function* () { yield 3; })())), await all(ReadableStream.from("ab"))].join());
await show("from nothing", () => ReadableStream.from(1));
await show("tee", async () => { const [left, right] = counting(2).tee(); return [await all(left), await all(right)].join(); });
await show("tee of a locked one", () => { const stream = counting(1); stream.getReader(); return stream.tee(); });
await show("locked while read", async () => {
  const stream = counting(2);
  const states = [stream.locked];
  for await (const _ of stream) { states.push(stream.locked); break; }
  return [...states, stream.locked, await attempt(() => stream.getReader().read().then((step) => step.done))].join();
});
await show("not cancelled", async () => {
  const stream = counting(3);
  for await (const _ of stream.values({ preventCancel: true })) break;
  return all(stream);
});
await show("pipeTo", async () => {
  const seen = [];
  await counting(3).pipeTo(new WritableStream({ write: (piece) => void seen.push(piece), close: () => void seen.push("closed") }));
  return seen.join();
});
await show("pipeTo fails", () => counting(1).pipeTo(new WritableStream({ write() { throw new RangeError("no"); } })));
await show("pipeTo aborted", () => counting(1e9).pipeTo(new WritableStream(), { signal: AbortSignal.abort() }));
await show("pipeThrough", () => all(counting(3).pipeThrough(new TransformStream({ transform: (piece, to) => to.enqueue(piece * 2), flush: (to) => to.enqueue("end") }))));
await show("cancel", async () => {
  const seen = [];
  await new ReadableStream({ cancel: (reason) => void seen.push(reason) }).cancel("why");
  return seen.join();
});
await show("error", () => all(new ReadableStream({ start(to) { to.enqueue(1); to.error(new RangeError("no")); } })));
await show("two readers", () => { const stream = counting(1); stream.getReader(); return stream.getReader(); });
await show("released", async () => { const reader = counting(1).getReader(); reader.releaseLock(); return reader.read(); });
await show("closed", async () => { const reader = counting(0).getReader(); return [(await reader.read()).done, await reader.closed].join(); });
await show("bytes by own buffers", async () => {
  const stream = new ReadableStream({ type: "bytes", start(to) { to.enqueue(new Uint8Array([1, 2, 3])); to.close(); } });
  const reader = stream.getReader({ mode: "byob" });
  const { value, done } = await reader.read(new Uint8Array(2));
  return [value, done].join();
});
await show("decoded", () => all(ReadableStream.from([new Uint8Array([0xf0, 0x9f]), new Uint8Array([0x98, 0x80, 0x61]), new Uint8Array([0xc3])]).pipeThrough(new TextDecoderStream())));
await show("decoded strictly", () => all(ReadableStream.from([new Uint8Array([0xc3])]).pipeThrough(new TextDecoderStream("utf-8", { fatal: true }))));
await show("decoded from another type", () => all(ReadableStream.from(["a"]).pipeThrough(new TextDecoderStream())));
await show("decoded with a mark", async () => JSON.stringify(await all(ReadableStream.from([new Uint8Array([0xef, 0xbb]), new Uint8Array([0xbf, 0x61])]).pipeThrough(new TextDecoderStream()))));
await show("decoder", () => { const { encoding, fatal, ignoreBOM } = new TextDecoderStream("latin1", { fatal: true, ignoreBOM: true }); return [encoding, fatal, ignoreBOM].join(); });
await show("an unknown decoder", () => new TextDecoderStream("nope"));
await show("encoded", () => all(ReadableStream.from(["a", "\ud83d", "\ude00", 5, ""]).pipeThrough(new TextEncoderStream())));
await show("encoded, half a pair", () => all(ReadableStream.from(["\ud83d"]).pipeThrough(new TextEncoderStream())));
await show("a blob", async () => [await all(new Blob(["ab"]).stream()), await new Blob(["a", new Uint8Array([98]), new Blob(["c"])]).text(), new Blob(["abc"]).slice(-2, -1).size].join());
await show("decoded in pieces", () => ["utf-8", "utf-16le", "utf-16be"].map((encoding) => {
  const decoder = new TextDecoder(encoding);
  const text = "\ufeffaé😀";
  const bytes = encoding === "utf-8" ? new TextEncoder().encode(text) : new Uint8Array(Array.from(text.split(""), (unit) => (encoding === "utf-16le" ? [unit.charCodeAt(0) & 255, unit.charCodeAt(0) >> 8] : [unit.charCodeAt(0) >> 8, unit.charCodeAt(0) & 255])).flat());
  const whole = new TextDecoder(encoding).decode(bytes);
  return Array.from(bytes, (byte) => decoder.decode(new Uint8Array([byte]), { stream: true })).join("") + decoder.decode() === whole && whole === "aé😀";
}).join());
