// What there is without asking.
for (const name of [
  "Array",
  "ArrayBuffer",
  "AbortController",
  "BigInt",
  "Blob",
  "Buffer",
  "DataView",
  "Date",
  "DOMException",
  "Error",
  "Event",
  "EventTarget",
  "FinalizationRegistry",
  "Function",
  "Headers",
  "JSON",
  "Map",
  "Math",
  "Number",
  "Object",
  "Promise",
  "Proxy",
  "Reflect",
  "RegExp",
  "Request",
  "Response",
  "Set",
  "String",
  "Symbol",
  "TextDecoder",
  "TextEncoder",
  "URL",
  "URLSearchParams",
  "Uint8Array",
  "WeakMap",
  "WeakRef",
  "atob",
  "btoa",
  "clearInterval",
  "clearTimeout",
  "console",
  "crypto",
  "decodeURI",
  "encodeURI",
  "eval",
  "fetch",
  "globalThis",
  "isFinite",
  "isNaN",
  "parseFloat",
  "parseInt",
  "performance",
  "process",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "structuredClone",
  "undefined",
]) {
  console.log(name, eval(`typeof ${name}`));
}
console.log(typeof window, typeof document, typeof alert, typeof Deno, global === globalThis);
console.log(
  Object.keys(globalThis).includes("fetch") === false || true,
  globalThis.parseInt === Number.parseInt,
  Number.parseFloat === parseFloat,
);
globalThis.added = 1;
console.log(added, delete globalThis.added, typeof added);
const uuid = crypto.randomUUID();
console.log(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuid),
  uuid !== crypto.randomUUID(),
);
const random = crypto.getRandomValues(new Uint32Array(4));
console.log(
  random.length,
  random.some((value) => value > 0),
  [1, 2, 3].every(() => {
    const value = Math.random();
    return value >= 0 && value < 1;
  }),
  Math.random() !== Math.random(),
);
try {
  crypto.getRandomValues([1]);
} catch (error) {
  console.log(error.constructor.name !== "");
}
const before = performance.now();
for (let i = 0; i < 1000; i++);
console.log(
  performance.now() >= before,
  typeof performance.timeOrigin,
  process.hrtime.bigint() <= process.hrtime.bigint(),
  Array.isArray(process.hrtime()),
  typeof process.uptime(),
);
process.stdout.write("written ");
process.stdout.write("without line breaks\n");
const exception = new DOMException("message", "NotFoundError");
console.log(exception.name, exception.message, exception.code, exception instanceof Error);
