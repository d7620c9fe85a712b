// `Request` of fetch.

import { AbortSignal } from "./abort.js";
import { Body, extract, move, peek } from "./body.js";
import { builtIn } from "./globals.js";
import { Headers } from "./headers.js";
import { host } from "./host.js";
import { enumerable, needs } from "./pairs.js";

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FORBIDDEN = new Set(["CONNECT", "TRACE", "TRACK"]);
const NORMALISED = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]);

function checkedMethod(method) {
  const text = `${method}`;
  if (!TOKEN.test(text)) throw new TypeError(`'${text}' is not a valid HTTP method.`);
  const upper = text.toUpperCase();
  if (FORBIDDEN.has(upper)) throw new TypeError(`'${text}' HTTP method is unsupported.`);
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

// Options with their defaults and, for most, the possible values.
const SETTINGS = {
  mode: ["cors", ["navigate", "same-origin", "no-cors", "cors"]],
  credentials: ["same-origin", ["omit", "same-origin", "include"]],
  cache: ["default", ["default", "no-store", "reload", "no-cache", "force-cache", "only-if-cached"]],
  redirect: ["follow", ["follow", "error", "manual"]],
  referrer: ["about:client"],
  referrerPolicy: ["", ["", "no-referrer", "no-referrer-when-downgrade", "same-origin", "origin", "strict-origin", "origin-when-cross-origin", "strict-origin-when-cross-origin", "unsafe-url"]],
  integrity: [""],
  keepalive: [false],
};
// Options of requests that are made by `clone`.
const copying = new WeakSet();

function settingsOf(init, from) {
  const settings = {};
  for (const [name, [usual, possible]] of Object.entries(SETTINGS)) {
    const value = init[name] === undefined ? (from?.[name] ?? usual) : name === "keepalive" ? Boolean(init[name]) : `${init[name]}`;
    if (possible !== undefined && !possible.includes(value))
      throw new TypeError(`Request constructor: ${value} is not an accepted type. Expected one of ${possible.filter((each) => each !== "").join(", ")}.`);
    settings[name] = value;
  }
  if (settings.mode === "navigate" && init.mode !== undefined)
    throw new TypeError("Request constructor: invalid request mode navigate.");
  return settings;
}

export class Request extends Body {
  #url;
  #method;
  #headers;
  #signal;
  #settings;

  constructor(input, init = undefined) {
    needs(arguments, 1, "Request constructor");
    if (init !== undefined && init !== null && typeof init !== "object" && typeof init !== "function")
      throw new TypeError("Request constructor: init is not an object");
    init ??= {};
    const from = input instanceof Request ? input : undefined;
    const method = init.method === undefined ? (from?.method ?? "GET") : checkedMethod(init.method);
    const settings = settingsOf(init, from);
    const given = extract(init.body);
    const type = given[1];
    let [bytes] = given;
    const isOfOther = (init.body === undefined || init.body === null) && from !== undefined && from.body !== null;
    if ((bytes !== null || isOfOther) && (method === "GET" || method === "HEAD"))
      throw new TypeError("Request with GET/HEAD method cannot have body.");
    if (bytes !== null && !(bytes instanceof Uint8Array) && init.duplex === undefined)
      throw new TypeError("RequestInit: duplex option is required when sending a body.");
    const headers = new Headers(init.headers ?? from?.headers);
    if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
    const url = from === undefined ? checkedUrl(input) : from.url;
    const signal = init.signal === undefined ? from?.signal : init.signal;
    if (signal != null && !(signal instanceof AbortSignal))
      throw new TypeError("Request: signal is not an AbortSignal");
    if (isOfOther) bytes = copying.has(init) ? peek(from, "Request.clone") : move(from);
    super(bytes, () => headers.get("content-type"));
    this.#url = url;
    this.#method = method;
    this.#headers = headers;
    this.#settings = settings;
    this.#signal = signal == null ? new AbortController().signal : AbortSignal.any([signal]);
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
  get signal() {
    return this.#signal;
  }
  get destination() {
    return "";
  }
  get duplex() {
    return "half";
  }
  // The values of options, of which only `redirect` has an effect.
  static settings(request) {
    return request.#settings;
  }
  clone() {
    const init = {};
    copying.add(init);
    return new Request(this, init);
  }
}
const { settings } = Request;
delete Request.settings;
for (const name of Object.keys(SETTINGS)) {
  Object.defineProperty(Request.prototype, name, {
    get() {
      return settings(this)[name];
    },
    configurable: true,
  });
}
builtIn("Request", Request);
enumerable(Request);
