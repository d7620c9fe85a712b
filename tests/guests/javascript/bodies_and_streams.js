// Streams, bodies and forms of the web, events, `util`, `url` and `path` of Node.
const log = (...a) => console.log(...a);
(async () => {
  const r = new Response("hello"); const rd = r.body.getReader(); log(r.body.locked, r.bodyUsed); const c = await rd.read(); log(new TextDecoder().decode(c.value), c.done, (await rd.read()).done, r.bodyUsed);
  try { await r.text() } catch (e) { log(e.name) }
  let out = ""; for await (const ch of new Response("abc").body) out += new TextDecoder().decode(ch); log(out);
  log(await new Response(new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode("s1")); c.enqueue(new TextEncoder().encode("s2")); c.close() } })).text());
  const b = new Blob(["xy", new Uint8Array([122])], { type: "text/plain" }); log(b, await b.text(), await new Response(b.stream()).text(), b.slice(1, 2).size);
  const f = new FormData(); f.append("a", "1"); f.append("f", new File(["content é"], "n.txt", { type: "text/plain" })); f.append("a", "2\r\n--x");
  const g = await new Response(f).formData(); log(g.getAll("a"), g.get("f").name, g.get("f").type, await g.get("f").text());
  const q = await new Request("http://x/", { method: "POST", body: new URLSearchParams({ z: "1 2" }) }).formData(); log([...q]);
  try { await new Response("x").formData() } catch (e) { log(e.name, e.message) }
  const t = new TransformStream({ transform(c, k) { k.enqueue(c.toUpperCase()) } }); const w = t.writable.getWriter(); w.write("abc"); w.close(); for await (const x of t.readable) log(x);
  log(await new Response(new Blob(["é€"]).stream().pipeThrough(new TextDecoderStream()).pipeThrough(new TextEncoderStream())).text());
  const et = new EventTarget(); et.addEventListener("x", (e) => log(e.type, e.detail, e instanceof Event, e.constructor.name)); et.dispatchEvent(new CustomEvent("x", { detail: { a: 1 } }));
  const [s1, s2] = new Response("tee").body.tee(); log(await new Response(s1).text(), await new Response(s2).text());
  const rc = new Response("clone"); const r2 = rc.clone(); log(await rc.text(), await r2.text());
  const err = new RangeError("m", { cause: 1 }); const sc = structuredClone({ d: new Date(0), m: new Map([[1, new Set([2])]]), e: err, r: /x/gi, u: new Uint8Array([1, 2]), n: null, big: 1n, nested: { a: [1, , 3] }, nan: NaN, z: -0 }); log({ ...sc, e: String(sc.e) }, sc.e instanceof RangeError, sc.e.cause);
  const cyc = { }; cyc.self = cyc; log(structuredClone(cyc).self.self !== undefined); const ab = new ArrayBuffer(8); const tr = structuredClone({ ab }, { transfer: [ab] }); log(ab.byteLength, tr.ab.byteLength);
  for (const v of [() => 1, Symbol("x"), { f() {} }, new WeakMap(), Promise.resolve()]) try { structuredClone(v) } catch (e) { log(e.name, e.code) }
  class K { constructor() { this.x = 1 } get y() { return 2 } } log(structuredClone(new K()), structuredClone(Object.create({ p: 1 })), structuredClone(new Boolean(true)), structuredClone(new DataView(new ArrayBuffer(2), 1)).byteLength);
  log(new Date("2024-01-01").toJSON(), typeof performance.now(), performance.timeOrigin > 0, performance.toJSON !== undefined);
  const ac = new AbortController(); const p = require("timers/promises").setTimeout(1000, null, { signal: ac.signal }); ac.abort(); await p.catch((e) => log(e.name, e.code));
  const { once, on, EventEmitter } = require("events"); const ee = new EventEmitter(); setTimeout(() => ee.emit("go", 1, 2), 1); log(await once(ee, "go")); setTimeout(() => { ee.emit("v", 1); ee.emit("v", 2) }, 1); let n = 0; for await (const [v] of on(ee, "v")) { log(v); if (++n === 2) break }
  try { ee.emit("error", new Error("boom")) } catch (e) { log(e.message) } try { ee.emit("error", { a: 1 }) } catch (e) { log(e.message, e.code) } try { ee.on("x", 1) } catch (e) { log(e.message, e.code) }
  const util = require("util"); log(util.inspect(new Map([[{ a: 1 }, new Set([1])]]), { depth: 0 }), util.format("%s %d %i %f %j %o %O %%", "a", 1.5, 2.7, "3.1", { a: 1 }, [1], { b: { c: {} } }), util.types.isPromise(Promise.resolve()), util.types.isRegExp(/x/), util.isDeepStrictEqual(new Set([1]), new Set([1])), util.inspect(Symbol("x")), util.types.isProxy({}));
  function A() {} function B() {} util.inherits(A, B); log(new A() instanceof B, A.super_ === B); const cb = util.callbackify(async (x) => x + 1); cb(1, (e, v) => log(e, v)); log(await util.promisify((a, cb) => cb(null, a * 2))(4)); log(util.stripVTControlCharacters("\u001b[31mx\u001b[0m"), util.toUSVString("\ud800"), util.styleText(["bold", "red"], "t") === "\u001b[1m\u001b[31mt\u001b[39m\u001b[22m");
  const { Readable, Writable, Transform, PassThrough, pipeline, finished } = require("stream"); const chunks = []; await util.promisify(pipeline)(Readable.from(["a", "b"]), new PassThrough(), new Writable({ write(c, e, cb) { chunks.push(c.toString()); cb() } })); log(chunks); log(await Readable.from([1, 2, 3]).filter((x) => x > 1).map((x) => x * 2).toArray());
  const url = require("url"); for (const u of ["http://a.com:80/p?q=1#h", "/x/y?z", "//h/p", "a/b", "https://u:p@h", "file:///a/b"]) log(JSON.stringify(url.parse(u)), url.format(url.parse(u))); log(url.parse("/a?b=1&c=2", true).query, url.resolve("/one/two/three", "four"), url.resolve("http://example.com/", "/one"), url.resolve("http://example.com/one", "../two"), url.fileURLToPath("file:///a%20b"), url.pathToFileURL("/a b#c?d%").href, url.format({ protocol: "http", host: "x.com", pathname: "/y", query: { a: 1 } }));
  const path = require("path"); for (const p of ["C:\\foo\\..\\bar", "\\\\srv\\share\\x", "a/b\\c", "C:", "C:\\", "", "..\\..\\x", "C:foo"]) log(path.win32.normalize(p), path.win32.isAbsolute(p), path.win32.dirname(p), path.win32.basename(p), path.win32.extname(p), JSON.stringify(path.win32.parse(p))); log(path.win32.join("a", "..", "..", "b"), path.win32.resolve("C:\\a", "..\\b"), path.win32.relative("C:\\a\\b", "C:\\a\\c\\d"), path.posix === path, path.delimiter);
})();
