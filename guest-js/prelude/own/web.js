// Globals of the prelude before any program runs: see `language.js`. `URLSearchParams` is not among them, because its
// polyfill uses it while it is loaded.

import { globalThis as own } from "./language.js";

export let AbortController, AbortSignal, Blob, Buffer, Event, EventTarget, File, FormData, Headers, Request, Response,
  TextDecoder, TextEncoder, URL, atob, btoa, clearImmediate, clearInterval, clearTimeout, console,
  crypto, fetch, performance, process, queueMicrotask, setImmediate, setInterval, setTimeout, structuredClone;

// Called once, after all of them are defined.
export function keepWeb() {
  ({
    AbortController, AbortSignal, Blob, Buffer, Event, EventTarget, File, FormData, Headers, Request, Response,
    TextDecoder, TextEncoder, URL, atob, btoa, clearImmediate, clearInterval, clearTimeout, console,
    crypto, fetch, performance, process, queueMicrotask, setImmediate, setInterval, setTimeout, structuredClone,
  } = own);
}
