// The globals that the prelude itself makes, as they are before any program runs: see `language.js`. `URLSearchParams` is not among
// them: the polyfill that makes it asks for it while it is loaded.

import { globalThis as own } from "./language.js";

export let AbortController, AbortSignal, Blob, Buffer, Event, EventTarget, File, FormData, Headers, Request, Response,
  TextDecoder, TextEncoder, URL, atob, btoa, clearImmediate, clearInterval, clearTimeout, console,
  crypto, fetch, performance, process, queueMicrotask, setImmediate, setInterval, setTimeout, structuredClone;

// Once, when all of them are there.
export function keepWeb() {
  ({
    AbortController, AbortSignal, Blob, Buffer, Event, EventTarget, File, FormData, Headers, Request, Response,
    TextDecoder, TextEncoder, URL, atob, btoa, clearImmediate, clearInterval, clearTimeout, console,
    crypto, fetch, performance, process, queueMicrotask, setImmediate, setInterval, setTimeout, structuredClone,
  } = own);
}
