// `Request` of fetch.

import { AbortSignal } from "./abort.js";
import { Body, extract, peek } from "./body.js";
import { builtIn } from "./globals.js";
import { Headers } from "./headers.js";
import { host } from "./host.js";

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const NORMALISED = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]);

function checkedMethod(method) {
  const text = `${method}`;
  if (!TOKEN.test(text)) throw new TypeError(`'${text}' is not a valid HTTP method.`);
  const upper = text.toUpperCase();
  return NORMALISED.has(upper) ? upper : text;
}

function checkedUrl(input) {
  const url = `${input}`;
  const parts = host.parseUrl(url, undefined);
  if (parts == null) {
    const error = new TypeError(`Failed to parse URL from ${url}`);
    error.cause = Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL", input: url });
    throw error;
  }
  if (parts[2] !== "" || parts[3] !== "")
    throw new TypeError(`Request cannot be constructed from a URL that includes credentials: ${url}`);
  return parts[0];
}

export class Request extends Body {
  #url;
  #method;
  #headers;
  #redirect;
  #signal;

  constructor(input, init = {}) {
    const from = input instanceof Request ? input : undefined;
    const method = init.method === undefined ? (from?.method ?? "GET") : checkedMethod(init.method);
    let [bytes, type] = extract(init.body);
    if (bytes === null && from !== undefined && init.body === undefined) bytes = peek(from);
    if (bytes !== null && (method === "GET" || method === "HEAD"))
      throw new TypeError("Request with GET/HEAD method cannot have body.");
    const headers = new Headers(init.headers ?? from?.headers);
    if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
    super(bytes, () => headers.get("content-type"));
    const redirect = init.redirect ?? from?.redirect ?? "follow";
    if (!["follow", "manual", "error"].includes(redirect))
      throw new TypeError(`Request: '${redirect}' is not a redirect mode: follow, manual or error`);
    const signal = init.signal === undefined ? from?.signal : init.signal;
    if (signal != null && !(signal instanceof AbortSignal))
      throw new TypeError("Request: signal is not an AbortSignal");
    this.#url = from === undefined ? checkedUrl(input) : from.url;
    this.#method = method;
    this.#headers = headers;
    this.#redirect = redirect;
    this.#signal = signal ?? new AbortController().signal;
  }

  get url() {
    return this.#url;
  }
  get method() {
    return this.#method;
  }
  get headers() {
    return this.#headers;
  }
  get redirect() {
    return this.#redirect;
  }
  get signal() {
    return this.#signal;
  }
  clone() {
    return new Request(this);
  }
}
builtIn("Request", Request);
