// `Response` of fetch.

import { Body, extract, peek } from "./body.js";
import { builtIn } from "./globals.js";
import { freezeHeaders, Headers } from "./headers.js";
import { inspect } from "./inspect.js";
import { enumerable, needs } from "./pairs.js";

const { stringify } = JSON;
const custom = Symbol.for("nodejs.util.inspect.custom");
const WITHOUT_BODY = new Set([101, 204, 205, 304]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const REASONS = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  203: "Non-Authoritative Information",
  204: "No Content",
  205: "Reset Content",
  206: "Partial Content",
  300: "Multiple Choices",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Payload Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  417: "Expectation Failed",
  418: "I'm a Teapot",
  422: "Unprocessable Entity",
  425: "Too Early",
  426: "Upgrade Required",
  428: "Precondition Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  451: "Unavailable For Legal Reasons",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
};

// Where the response came from, which a program cannot set.
const origins = new WeakMap();

function addressOf(url) {
  try {
    return new URL(url).href;
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${url}`, { cause });
  }
}

export class Response extends Body {
  #status;
  #statusText;
  #headers;
  #type = "default";

  constructor(body = null, init = undefined) {
    if (init !== undefined && init !== null && typeof init !== "object" && typeof init !== "function")
      throw new TypeError("Response constructor: init is not an object");
    init ??= {};
    const status = init.status === undefined ? 200 : Math.trunc(Number(init.status));
    const statusText = `${init.statusText ?? ""}`;
    if (/[^\t\x20-\x7e\x80-\xff]/.test(statusText)) throw new TypeError("Invalid statusText");
    if (!(status >= 200 && status <= 599))
      throw new RangeError('init["status"] must be in the range of 200 to 599, inclusive.');
    const [bytes, type] = extract(body);
    if (bytes !== null && WITHOUT_BODY.has(status))
      throw new TypeError(`Response constructor: Invalid response status code ${status}`);
    const headers = new Headers(init.headers);
    if (type !== null && !headers.has("content-type")) headers.set("content-type", type);
    super(bytes, () => headers.get("content-type"));
    this.#status = status;
    this.#statusText = statusText;
    this.#headers = headers;
  }

  static error() {
    const response = new Response();
    response.#status = 0;
    response.#type = "error";
    freezeHeaders(response.#headers);
    return response;
  }

  static json(data, init = undefined) {
    needs(arguments, 1, "Response.json");
    const json = stringify(data);
    if (json === undefined) throw new TypeError("Value is not JSON serializable");
    const headers = new Headers(init?.headers);
    if (!headers.has("content-type")) headers.set("content-type", "application/json");
    return new Response(json, { ...init, headers });
  }

  static redirect(url, status = 302) {
    if (!REDIRECTS.has(status)) throw new RangeError(`Invalid status code ${status}`);
    const response = new Response(null, { status, headers: { location: addressOf(url) } });
    freezeHeaders(response.#headers);
    return response;
  }

  // Makes a response from the host's reply.
  static received({ status, url, headers, body }, redirected) {
    const hasBody = !WITHOUT_BODY.has(status);
    const response = new Response(hasBody ? body : null, {
      status: Math.max(200, Math.min(599, status)),
      statusText: REASONS[status],
    });
    response.#status = status;
    response.#type = "basic";
    for (const [name, value] of headers) response.#headers.append(name, value);
    freezeHeaders(response.#headers);
    origins.set(response, { url, redirected });
    return response;
  }

  get status() {
    return this.#status;
  }
  get statusText() {
    return this.#statusText;
  }
  get ok() {
    return this.#status >= 200 && this.#status <= 299;
  }
  get headers() {
    return this.#headers;
  }
  get type() {
    return this.#type;
  }
  get url() {
    return origins.get(this)?.url ?? "";
  }
  get redirected() {
    return origins.get(this)?.redirected ?? false;
  }
  clone() {
    const copy = new Response(WITHOUT_BODY.has(this.#status) ? null : peek(this, "Response.clone"), {
      statusText: this.#statusText,
      headers: this.#headers,
    });
    copy.#status = this.#status;
    copy.#type = this.#type;
    if (origins.has(this)) origins.set(copy, origins.get(this));
    return copy;
  }
  [custom](depth, options) {
    const { status, statusText, headers, bodyUsed, ok, redirected, type, url } = this;
    return `Response ${inspect({ status, statusText, headers, bodyUsed, ok, redirected, type, url }, options)}`;
  }
}

const { received } = Response;
delete Response.received;
builtIn("Response", Response);
enumerable(Response);

export { REDIRECTS, received };
