// Names at the top level are the program's own, and what Node does needs none of them.
const fs = require("fs");
const path = require("path");
const url = require("url");
const util = require("util");
const stream = require("stream");
const hash = require("crypto");
const querystring = require("querystring");
const os = require("os");
const URL = "URL";
const URLSearchParams = "URLSearchParams";
const TextDecoder = "TextDecoder";
const TextEncoder = "TextEncoder";
const Buffer = "Buffer";
const AbortController = "AbortController";
const DOMException = "DOMException";
const structuredClone = "structuredClone";
const FormData = "FormData";
const Blob = "Blob";
const window = "window";
const self = "self";
const performance = "performance";
class Map {}
class Set {}
class WeakMap {}
class Reflect {}
class Uint8Array {}
class RegExp {}
function process() {}
function fetch() {}
function setImmediate() {}
function setTimeout() {}
function clearTimeout() {}
function queueMicrotask() {}
function isNaN() {}
function parseInt() {}
const place = fs.mkdtempSync(path.join(os.tmpdir(), "shadowed-"));
require("process").chdir(place);
fs.writeFileSync("a.txt", "text of a");
console.log(fs.readFileSync("a.txt", "utf8"), path.resolve("b") === path.join(fs.realpathSync(place), "b"));
console.log(path.relative("/a/b", "/a/c"), path.win32.join("a", "..", "b"));
console.log(fs.readFileSync(url.pathToFileURL(path.resolve("a.txt")), "utf8"));
console.log(url.parse("http://a.example/b?c=d#e").pathname, new url.URL("/x?y=z", "http://h.example").searchParams.get("y"));
console.log(querystring.parse("a=%20b&c=%ff"), querystring.stringify({ "ü": "ö" }));
console.log(hash.createHash("sha256").update("abc").digest("hex").slice(0, 16));
console.log(util.inspect({ a: [1, { b: new Date(0) }] }, { depth: 0 }), util.format("%s %d", "x", 4));
console.log(util.isDeepStrictEqual({ a: [1] }, { a: [1] }), util.types.isDate(new Date()));
fs.readFile("a.txt", "utf8", (error, text) => {
  console.log("callback", error, text);
  fs.promises.readFile("a.txt", "utf8").then((text) => {
    console.log("promise", text);
    pipe();
  });
});
const upper = new stream.Transform({
  transform(piece, _encoding, done) {
    done(null, piece.toString().toUpperCase());
  },
});
const pipe = () => stream.pipeline(fs.createReadStream("a.txt"), upper, fs.createWriteStream("b.txt"), (error) => {
  console.log("pipeline", error, fs.readFileSync("b.txt", "utf8"));
  require("timers/promises")
    .setTimeout(2, "later")
    .then(console.log)
    .then(() => util.promisify(require("timers").setTimeout)(2, "timer"))
    .then(console.log)
    .then(() => stream.Readable.toWeb(stream.Readable.from(["web"])).getReader().read())
    .then(console.log)
    .then(() => fs.rmSync(place, { recursive: true }));
});
console.log(process.name, fetch.name, typeof URL, globalThis.URL.name, (12.5).toLocaleString("de"));
