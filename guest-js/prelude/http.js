// `http_get`, `http_post`, `http_request`: requests that return when the response has arrived.

import { Blob } from "./blob.js";
import { extract } from "./body.js";
import { define, defineAll } from "./globals.js";
import { host } from "./host.js";
import { forgetLater } from "./session.js";
import { URLSearchParams } from "./url.js";

const { parse, stringify } = JSON;
const MOST_REDIRECTS = 10;
const NAMES = {
  denied: "PermissionError",
  timeout: "TimeoutError",
  dns: "ConnectionError",
  connect: "ConnectionError",
  tls: "ConnectionError",
  protocol: "ConnectionError",
};

let textBodies = false;

function forget() {
  textBodies = false;
}

export function useTextBodies() {
  forgetLater(forget);
  textBodies = true;
}

// There is no response. `kind` is the reason: denied, dns, connect, tls, timeout, too-large, protocol, budget.
class HttpError extends Error {
  constructor(message, kind, url) {
    super(message);
    const name = NAMES[kind] ?? "HttpError";
    for (const [key, value] of Object.entries({ name, kind, url })) {
      Object.defineProperty(this, key, { value, enumerable: key !== "name", writable: true, configurable: true });
    }
  }
}

// Decoded bodies also pass through JSON.parse, so that programs that expect text work too.
const decodedBodies = new WeakSet();

function passThrough() {
  function parseJson(text, reviver) {
    return typeof text === "object" && decodedBodies.has(text) ? text : parse(text, reviver);
  }
  Object.defineProperty(JSON, "parse", {
    value: Object.defineProperty(parseJson, "name", { value: "parse" }),
    writable: true,
    configurable: true,
  });
}

function decodeJson(text) {
  try {
    const value = parse(text);
    if (typeof value === "object" && value !== null) {
      if (JSON.parse === parse) passThrough();
      decodedBodies.add(value);
    }
    return value;
  } catch {
    return undefined;
  }
}

const TEXT_TYPES = new Set([
  "application/javascript",
  "application/x-javascript",
  "application/xml",
  "application/xhtml+xml",
  "application/x-yaml",
  "application/yaml",
  "application/toml",
  "application/x-www-form-urlencoded",
  "application/graphql",
  "application/sql",
  "application/x-ndjson",
  "application/jsonl",
  "application/csv",
]);

const isJson = (kind) => kind === "application/json" || kind.endsWith("+json");
const isText = (kind) =>
  kind === "" || kind.startsWith("text/") || TEXT_TYPES.has(kind) || kind.endsWith("json") || kind.endsWith("+xml");

// Returns the body according to the rule of the run, its text or null, and its JSON value or null. The rule is that of
// the Python guest.
function decodeBody(bytes, type) {
  const kind = type.split(";")[0].trim().toLowerCase();
  const charset = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(type)?.[1];
  const label = charset ?? "utf-8";
  const known = host.encodingName(label) != null;
  const text = (charset !== undefined || isText(kind)) && known ? host.decodeText(bytes, label, true, false) : null;
  const json = isJson(kind) ? decodeJson(text ?? host.decodeText(bytes, "utf-8", false, false)) : undefined;
  if (json !== undefined && !textBodies) return { body: json, text, json };
  const body = text ?? (textBodies ? host.decodeText(bytes, "utf-8", false, false) : bytes);
  return { body, text, json: json ?? null };
}

// The headers of a response: names as the server spelled them, which programs can look up in any case.
function collect(pairs) {
  const headers = {};
  const spelled = new Map();
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    const known = spelled.get(lower);
    if (known === undefined) spelled.set(lower, name);
    const key = known ?? name;
    // A name can be that of a property of all objects.
    const joined = known === undefined ? value : `${headers[key]}, ${value}`;
    Object.defineProperty(headers, key, { value: joined, writable: true, enumerable: true, configurable: true });
  }
  const keyOf = (target, name) =>
    typeof name !== "string" || Object.hasOwn(target, name) ? name : (spelled.get(name.toLowerCase()) ?? name);
  return new Proxy(headers, {
    get: (target, name, receiver) => Reflect.get(target, keyOf(target, name), receiver),
    has: (target, name) => Reflect.has(target, keyOf(target, name)),
    getOwnPropertyDescriptor(target, name) {
      return Reflect.getOwnPropertyDescriptor(target, keyOf(target, name));
    },
  });
}

function pairsOf(headers) {
  if (headers === undefined || headers === null) return [];
  const pairs = typeof headers[Symbol.iterator] === "function" ? [...headers] : Object.entries(headers);
  return pairs.map(([name, value]) => [`${name}`, `${value}`]);
}

function withQuery(url, params) {
  const text = `${url}`;
  if (params === undefined || params === null) return text;
  let query;
  if (typeof params === "string") query = params;
  else if (params instanceof URLSearchParams) query = params.toString();
  else {
    const pairs = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) {
      for (const each of Array.isArray(value) ? value : [value])
        if (each !== undefined && each !== null) pairs.append(name, each);
    }
    query = pairs.toString();
  }
  if (query === "") return text;
  const [beforeHash, ...hash] = text.split("#");
  return beforeHash + (beforeHash.includes("?") ? "&" : "?") + query + (hash.length > 0 ? `#${hash.join("#")}` : "");
}

function bodyOf(body, json) {
  if (json !== undefined) return [extract(stringify(json))[0], "application/json"];
  const plain =
    typeof body === "object" &&
    body !== null &&
    (Array.isArray(body) || [Object.prototype, null].includes(Object.getPrototypeOf(body)));
  if (plain) return [extract(stringify(body))[0], "application/json"];
  const [bytes, type] = extract(body);
  return [bytes ?? new Uint8Array(0), typeof body === "string" ? null : type];
}

// `timeout` is in seconds. `redirects` is the maximum number of redirects; with 0 the redirect itself is the response.
function http_request(method, url, options = {}) {
  const { headers, params, body, json, timeout, redirects = MOST_REDIRECTS } = options ?? {};
  const fields = pairsOf(headers);
  const [bytes, type] = bodyOf(body, json);
  if (type !== null && !fields.some(([name]) => name.toLowerCase() === "content-type"))
    fields.push(["Content-Type", type]);
  const target = withQuery(url, params);
  const limit = timeout === undefined || timeout === null ? -1 : Math.max(0, Number(timeout) * 1000);
  const outcome = host.sendRequest(`${method}`.toUpperCase(), target, fields, bytes, limit, redirects);
  if (Array.isArray(outcome)) throw new HttpError(outcome[1], outcome[0], target);
  const received = collect(outcome.headers);
  const { body: content, text, json: decoded } = decodeBody(outcome.body, received["content-type"] ?? "");
  const response = {
    status: outcome.status,
    headers: received,
    url: outcome.url,
    ok: outcome.status < 400,
    body: content,
  };
  // Other forms of the same body: computed on access, and not printed or stored three times.
  Object.defineProperties(response, {
    text: { value: text, writable: true, configurable: true },
    json: { value: decoded, writable: true, configurable: true },
    truncated: { value: outcome.truncated, enumerable: outcome.truncated, writable: true, configurable: true },
  });
  return response;
}

function http_get(url, options) {
  return http_request("GET", url, options);
}

function http_post(url, body = "", options = {}) {
  const {
    content_type = "application/json",
    headers,
    ...rest
  } = typeof options === "string" ? { content_type: options } : (options ?? {});
  const fields = pairsOf(headers);
  const typed =
    rest.json !== undefined ||
    body instanceof FormData ||
    body instanceof URLSearchParams ||
    (body instanceof Blob && body.type !== "");
  if (!typed && content_type && !fields.some(([name]) => name.toLowerCase() === "content-type"))
    fields.push(["Content-Type", content_type]);
  return http_request("POST", url, { ...rest, headers: fields, body });
}

export function installHttp() {
  define("HttpError", HttpError);
  defineAll({ http_request, http_get, http_post });
}
