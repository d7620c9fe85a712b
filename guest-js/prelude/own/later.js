// For modules that are loaded later, under the names that the bundler inserts: see `language.js`.

export {
  globalThis,
  AggregateError, Array, ArrayBuffer, BigInt, BigInt64Array, BigUint64Array, Boolean, DOMException, DataView, Date,
  Error, EvalError, FinalizationRegistry, Float32Array, Float64Array, Function, Int16Array, Int32Array, Int8Array,
  JSON, Map, Math, Number, Object, Promise, Proxy, RangeError, ReferenceError, Reflect, RegExp, Set,
  SharedArrayBuffer, String, Symbol, SyntaxError, TypeError, URIError, Uint16Array, Uint32Array, Uint8Array,
  Uint8ClampedArray, WeakMap, WeakRef, WeakSet, decodeURI, decodeURIComponent, encodeURI, encodeURIComponent, escape,
  isFinite, isNaN, parseFloat, parseInt, unescape,
  AbortController, AbortSignal, Blob, Buffer, Event, EventTarget, File, FormData, Headers, Request, Response,
  TextDecoder, TextEncoder, URL, URLSearchParams, atob, btoa, clearImmediate, clearInterval, clearTimeout, console,
  crypto, fetch, performance, process, queueMicrotask, setImmediate, setInterval, setTimeout, structuredClone,
} from "isolette:prelude";
