// `fetch`, over the http capability.

import { timeLeft } from "./abort.js";
import { Blob, File } from "./blob.js";
import { gather, peek } from "./body.js";
import { FormData } from "./form_data.js";
import { defineAll } from "./globals.js";
import { Headers } from "./headers.js";
import { host } from "./host.js";
import { Request } from "./request.js";
import { REDIRECTS, Response, received } from "./response.js";
import { operate } from "./timers.js";

const MOST_REDIRECTS = 20;

// Sends the request, and blocks until the host returns the response. Returns a response or throws.
function send(request) {
  const { url, method, headers, redirect, signal } = request;
  const left = timeLeft(signal);
  const body = peek(request) ?? new Uint8Array(0);
  const outcome = host.sendRequest(
    method,
    url,
    [...headers],
    body,
    left === Infinity ? -1 : left,
    redirect === "follow" ? MOST_REDIRECTS : 0,
  );
  if (Array.isArray(outcome)) {
    const [kind, sentence] = outcome;
    if (kind === "timeout" && left !== Infinity)
      throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
    throw Object.assign(new TypeError(sentence), { code: kind });
  }
  if (redirect === "error" && REDIRECTS.has(outcome.status)) {
    throw Object.assign(new TypeError(`${url} redirects, and the request asked for an error then`), {
      code: "redirect",
    });
  }
  const asked = url.split("#")[0];
  return received(outcome, redirect === "follow" && outcome.url.split("#")[0] !== asked);
}

function fetch(input, init) {
  return new Promise((resolve, reject) => {
    const request = new Request(input, init);
    const { signal } = request;
    if (signal.aborted) return reject(signal.reason);
    // The program continues first, like with a real network.
    const start = () =>
      operate(() => {
        if (signal.aborted) return reject(signal.reason);
        try {
          resolve(send(request));
        } catch (error) {
          reject(error);
        }
      });
    const gathered = gather(request);
    if (gathered === undefined) start();
    else gathered.then(start, reject);
  });
}

export function installFetch() {
  defineAll({ fetch, Headers, Request, Response, FormData, Blob, File });
}
