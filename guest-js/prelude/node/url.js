// `url`: what is there besides URL itself, and the ways of older programs.

import { require } from "isolette:prelude";

import { coded, invalidType } from "./lib/errors.js";

const querystring = require("querystring");
const path = require("path");
const { URL, URLSearchParams } = globalThis;

function fileURLToPath(url) {
  const parsed = typeof url === "string" ? new URL(url) : url;
  if (typeof parsed?.pathname !== "string") throw invalidType("path", "of type string or an instance of URL", url);
  if (parsed.protocol !== "file:") throw coded(TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
  if (parsed.hostname !== "") {
    throw coded(TypeError, "ERR_INVALID_FILE_URL_HOST", 'File URL host must be "localhost" or empty on isolette');
  }
  if (/%2f/i.test(parsed.pathname)) {
    throw coded(TypeError, "ERR_INVALID_FILE_URL_PATH", "File URL path must not include encoded / characters");
  }
  return decodeURIComponent(parsed.pathname);
}

function pathToFileURL(place) {
  const absolute = path.resolve(place) + (place.endsWith("/") && place.length > 1 ? "/" : "");
  const encoded = absolute.replace(/[%\\\n\r\t?#]/g, (character) => encodeURIComponent(character));
  return new URL(`file://${encoded}`);
}

const SLASHED = new Set(["http:", "https:", "ftp:", "gopher:", "file:", "ws:", "wss:"]);
const NAMES = ["protocol", "slashes", "auth", "host", "port", "hostname", "hash", "search", "query", "pathname", "path", "href"];

class Url {
  constructor() {
    for (const name of NAMES) this[name] = null;
  }
  parse(text, query, slashes) {
    return Object.assign(this, parse(text, query, slashes));
  }
  format() {
    return format(this);
  }
  resolve(relative) {
    return resolve(this.format(), relative);
  }
}

const escaped = (text) =>
  text.replace(/[\t\n\r "'<>\\^`{|}]/g, (character) => (character === "\\" ? "/" : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`));

function parse(text, query = false, slashesDenoteHost = false) {
  if (typeof text !== "string") throw invalidType("url", "string", text);
  const url = new Url();
  let rest = text.trim();
  const protocol = /^[a-z][a-z0-9.+-]*:/i.exec(rest)?.[0];
  if (protocol !== undefined) {
    url.protocol = protocol.toLowerCase();
    rest = rest.slice(protocol.length);
  }
  const hasSlashes = rest.startsWith("//") && (protocol !== undefined || slashesDenoteHost) && url.protocol !== "javascript:";
  if (hasSlashes) {
    url.slashes = true;
    rest = rest.slice(2);
    const end = rest.search(/[/?#\\]/);
    let authority = end < 0 ? rest : rest.slice(0, end);
    rest = end < 0 ? "" : rest.slice(end);
    const at = authority.lastIndexOf("@");
    if (at >= 0) {
      url.auth = decodeURIComponent(authority.slice(0, at));
      authority = authority.slice(at + 1);
    }
    const port = /:(\d*)$/.exec(authority);
    if (port !== null) {
      if (port[1] !== "") url.port = port[1];
      authority = authority.slice(0, -port[0].length);
    }
    url.hostname = authority.toLowerCase().replace(/^\[|\]$/g, "");
    url.host = authority.toLowerCase() + (url.port === null ? "" : `:${url.port}`);
  }
  if (url.protocol !== "javascript:") rest = escaped(rest);
  const hash = rest.indexOf("#");
  if (hash >= 0) {
    url.hash = rest.slice(hash);
    rest = rest.slice(0, hash);
  }
  const mark = rest.indexOf("?");
  if (mark >= 0) {
    url.search = rest.slice(mark);
    url.query = rest.slice(mark + 1);
    rest = rest.slice(0, mark);
  } else if (query) url.search = "";
  if (query) url.query = querystring.parse(url.query ?? "");
  if (rest !== "") url.pathname = rest;
  else if (hasSlashes && SLASHED.has(url.protocol)) url.pathname = "/";
  if (url.pathname !== null || url.search) url.path = (url.pathname ?? "") + (url.search ?? "");
  url.href = format(url);
  return url;
}

function format(url, options = {}) {
  if (typeof url === "string") return parse(url).href;
  if (url instanceof URL) {
    const { fragment = true, search = true, auth = true } = options;
    const copy = new URL(url.href);
    if (!fragment) copy.hash = "";
    if (!search) copy.search = "";
    if (!auth) [copy.username, copy.password] = ["", ""];
    return copy.href;
  }
  if (url === null || typeof url !== "object") throw invalidType("urlObject", "of type object or string", url);
  const auth = url.auth ? `${encodeURIComponent(url.auth).replace(/%3A/i, ":")}@` : "";
  let protocol = url.protocol ?? "";
  if (protocol !== "" && !protocol.endsWith(":")) protocol += ":";
  let host = "";
  if (url.host) host = auth + url.host;
  else if (url.hostname) {
    host = auth + (url.hostname.includes(":") && !url.hostname.startsWith("[") ? `[${url.hostname}]` : url.hostname);
    if (url.port) host += `:${url.port}`;
  }
  const query = url.query !== null && typeof url.query === "object" ? querystring.stringify(url.query) : "";
  let search = url.search || (query === "" ? "" : `?${query}`);
  let pathname = (url.pathname ?? "").replace(/[?#]/g, encodeURIComponent);
  if (url.slashes || ((protocol === "" || SLASHED.has(protocol)) && host !== "")) {
    host = `//${host}`;
    if (pathname !== "" && !pathname.startsWith("/")) pathname = `/${pathname}`;
  }
  let hash = url.hash ?? "";
  if (hash !== "" && !hash.startsWith("#")) hash = `#${hash}`;
  if (search !== "" && !search.startsWith("?")) search = `?${search}`;
  return protocol + host + pathname + search.replace("#", "%23") + hash;
}

// By the rules of the web; addresses without a host are resolved below one that is taken away again.
function resolve(from, to) {
  const below = "resolve://host";
  const base = new URL(from, `${below}/`);
  const resolved = new URL(to, base);
  if (resolved.protocol !== "resolve:") return resolved.href;
  const { pathname, search, hash } = resolved;
  return (from.startsWith("/") || to.startsWith("/") ? pathname : pathname.slice(1)) + search + hash;
}

const punycode = (text) => {
  try {
    return new URL(`http://${text}`).hostname;
  } catch {
    return "";
  }
};

const urlToHttpOptions = (url) => ({
  protocol: url.protocol,
  hostname: url.hostname.replace(/^\[|\]$/g, ""),
  hash: url.hash,
  search: url.search,
  pathname: url.pathname,
  path: `${url.pathname}${url.search}`,
  href: url.href,
  ...(url.port === "" ? {} : { port: Number(url.port) }),
  ...(url.username || url.password ? { auth: `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}` } : {}),
});

export default {
  Url,
  parse,
  format,
  resolve,
  resolveObject: (from, to) => parse(resolve(from, to)),
  URL,
  URLSearchParams,
  domainToASCII: punycode,
  domainToUnicode: (text) => text,
  fileURLToPath,
  pathToFileURL,
  urlToHttpOptions,
};
