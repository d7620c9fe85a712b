// `fetch`, over the http capability.

import { timeLeft } from "./abort.js";
import { Blob, File } from "./blob.js";
import { bytesOfBody, gather } from "./body.js";
import { FormData } from "./form_data.js";
import { defineAll } from "./globals.js";
import { Headers, written } from "./headers.js";
import { host } from "./host.js";
import { watching } from "./pending.js";
import { Request } from "./request.js";
import { REDIRECTS, Response, received } from "./response.js";

const MOST_REDIRECTS = 20;

// The URL without its fragment, and without a `?` before no query, as Node sends it.
const sent = (url) => url.replace(/#.*$/s, "").replace(/^([^?]*)\?$/, "$1");

// Starts a request, and returns its ticket.
function start({ url, method, headers, redirect, signal }, body) {
  const left = timeLeft(signal);
  const redirects = redirect === "follow" ? MOST_REDIRECTS : 0;
  return host.startRequest(method, sent(url), written(headers), body, left === Infinity ? -1 : left, redirects);
}

// The response of a completed request. Throws if there is none.
function finish({ url, redirect, signal }, ticket) {
  const outcome = host.finishRequest(ticket);
  if (Array.isArray(outcome)) {
    const [kind, sentence] = outcome;
    if (kind === "timeout" && timeLeft(signal) !== Infinity)
      throw new DOMException("The operation was aborted due to timeout", "TimeoutError");
    throw Object.assign(new TypeError(sentence), { code: kind });
  }
  if (redirect === "error" && REDIRECTS.has(outcome.status)) {
    throw Object.assign(new TypeError(`${url} redirects, and the request asked for an error then`), {
      code: "redirect",
    });
  }
  return received(outcome, redirect === "follow" && outcome.url !== sent(url));
}

function fetch(input, init) {
  return new Promise((resolve, reject) => {
    const request = new Request(input, init);
    const { signal } = request;
    if (signal.aborted) return reject(signal.reason);
    const send = () => {
      if (signal.aborted) return reject(signal.reason);
      const ticket = start(request, bytesOfBody(request) ?? new Uint8Array(0));
      resolve(host.promiseOf(ticket, () => finish(request, ticket), watching(signal)));
    };
    const gathered = gather(request);
    if (gathered === undefined) send();
    else gathered.then(send, reject);
  });
}

export function installFetch() {
  defineAll({ fetch, Headers, Request, Response, FormData, Blob, File });
}
