// `url`: functions besides URL itself, including the legacy ones.

import { require } from "isolette:prelude";

import { coded, invalidType } from "./lib/errors.js";

const querystring = require("querystring");
const path = require("path");

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
  text.replace(/[\t\n\r "'<>\\^`{|}]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);

function parse(text, query = false, slashesDenoteHost = false) {
  if (typeof text !== "string") throw invalidType("url", "string", text);
  const url = new Url();
  let rest = text.trim();
  const protocol = /^[a-z][a-z0-9.+-]*:/i.exec(rest)?.[0];
  if (protocol !== undefined) {
    url.protocol = protocol.toLowerCase();
    rest = rest.slice(protocol.length);
  }
  const isCode = url.protocol === "javascript:";
  const mark = rest.search(/[?#]/);
  if (!isCode) rest = mark < 0 ? rest.replaceAll("\\", "/") : rest.slice(0, mark).replaceAll("\\", "/") + rest.slice(mark);
  const mayHaveHost = protocol !== undefined || slashesDenoteHost || /^\/\/[^@/]+@[^@/]+/.test(rest);
  const hasSlashes = rest.startsWith("//") && mayHaveHost && !isCode;
  if (hasSlashes) {
    url.slashes = true;
    rest = rest.slice(2);
  }
  // After an unknown protocol there is a host, even without slashes.
  if (hasSlashes || (protocol !== undefined && !isCode && !SLASHED.has(url.protocol))) {
    const end = rest.search(/[/?#]/);
    let authority = end < 0 ? rest : rest.slice(0, end);
    rest = end < 0 ? "" : rest.slice(end);
    const at = authority.lastIndexOf("@");
    if (at >= 0) {
      url.auth = decodeURIComponent(authority.slice(0, at));
      authority = authority.slice(at + 1);
    }
    const wrong = authority.search(/[\t\n\r "%';<>^`{|}]/);
    if (wrong >= 0) {
      rest = authority.slice(wrong) + rest;
      authority = authority.slice(0, wrong);
    }
    const port = /:(\d*)$/.exec(authority);
    if (port !== null) {
      if (port[1] !== "") url.port = port[1];
      authority = authority.slice(0, -port[0].length);
    }
    authority = authority.toLowerCase();
    if (/[^\0-\x7f]/.test(authority)) {
      authority = punycode(authority);
      if (authority === "") throw Object.assign(coded(TypeError, "ERR_INVALID_URL", "Invalid URL"), { input: text });
    }
    url.hostname = authority.replace(/^\[|\]$/g, "");
    url.host = authority + (url.port === null ? "" : `:${url.port}`);
  }
  if (!isCode) rest = escaped(rest);
  const hash = rest.indexOf("#");
  if (hash >= 0) {
    url.hash = rest.slice(hash);
    rest = rest.slice(0, hash);
  }
  const asks = rest.indexOf("?");
  if (asks >= 0) {
    url.search = rest.slice(asks);
    url.query = rest.slice(asks + 1);
    rest = rest.slice(0, asks);
  } else if (query) url.search = "";
  if (query) url.query = querystring.parse(url.query ?? "");
  if (rest !== "") url.pathname = rest;
  else if (url.hostname && SLASHED.has(url.protocol)) url.pathname = "/";
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
  return protocol + host + pathname + search.replaceAll("#", "%23") + hash;
}

const steps = (pathname) => (pathname ? pathname.split("/") : []);

// With an unknown protocol, the host is the first segment of the path.
function hostAsStep(url) {
  const [first, ...others] = steps(url.pathname);
  if (!url.host) return steps(url.pathname);
  return [url.host, ...(first === "" || first === undefined ? [] : [first]), ...others];
}

// Without `.` and `..`. A `rooted` path has nothing above its first segment.
function tidied(path, rooted) {
  const kept = [];
  let above = 0;
  for (const step of path) {
    if (step === ".") continue;
    if (step !== "..") kept.push(step);
    else if (kept.length > (kept[0] === "" ? 1 : 0)) kept.pop();
    else above += 1;
  }
  if (!rooted) kept.unshift(...Array(above).fill(".."));
  const last = path.at(-1);
  if ((last === "." || last === "..") && kept.at(-1) !== "") kept.push("");
  return kept;
}

function resolve(from, to) {
  const base = parse(from, false, true);
  const next = parse(to, false, true);
  base.hash = next.hash;
  if (next.href === "") return format(base);
  if (next.protocol !== null && next.protocol !== base.protocol) {
    if (SLASHED.has(next.protocol) && !next.host && next.protocol !== "file:") {
      const [host, ...others] = steps(next.pathname).filter((step, index, all) => step !== "" || all.slice(0, index).some(Boolean));
      Object.assign(next, { slashes: true, host: host ?? "", pathname: `/${others.join("/")}` });
    }
    return format(next);
  }
  if (next.slashes && next.protocol === null) {
    next.protocol = base.protocol;
    if (SLASHED.has(next.protocol) && next.hostname && !next.pathname) next.pathname = "/";
    return format(next);
  }
  const known = base.protocol === null || SLASHED.has(base.protocol);
  const after = known || next.protocol === null ? steps(next.pathname) : hostAsStep(next);
  let path = known ? steps(base.pathname) : hostAsStep(base);
  if (known && next.host) Object.assign(base, { host: next.host, auth: next.host === base.host ? base.auth : null });
  const rooted = after[0] === "" || path[0] === "" || Boolean(base.host);
  if (next.auth) base.auth = next.auth;
  if ((known && next.host) || after[0] === "") {
    path = !known && base.host ? [path[0], ...after.slice(1)] : after;
    base.search = next.search;
  } else if (after.length > 0) {
    path = [...path.slice(0, -1), ...after];
    base.search = next.search;
  } else if (next.search !== null) base.search = next.search;
  path = tidied(path, rooted);
  if (!known) {
    base.host = path[0] === "" ? "" : (path.shift() ?? "");
    const at = base.host.lastIndexOf("@");
    if (at >= 0) [base.auth, base.host] = [base.host.slice(0, at), base.host.slice(at + 1)];
  }
  if (path.length > 0 && path[0] !== "" && base.host) path.unshift("");
  const pathname = path.join("/");
  return format(Object.assign(base, { pathname: pathname === "" && path.length > 0 ? "/" : pathname, hostname: null, port: null, query: null }));
}

const punycode = (text) => {
  try {
    return new URL(`http://${text}`).hostname;
  } catch {
    return "";
  }
};

// The reverse direction, according to RFC 3492.
function decodedLabel(text) {
  const at = text.lastIndexOf("-");
  const found = at > 0 ? [...text.slice(0, at)] : [];
  let [number, place, bias] = [128, 0, 72];
  for (let index = at > 0 ? at + 1 : 0; index < text.length; ) {
    const before = place;
    for (let [weight, step] = [1, 36]; ; step += 36) {
      const digit = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(text[index++] ?? "?");
      if (digit < 0) return undefined;
      place += digit * weight;
      const threshold = Math.min(Math.max(step - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const size = found.length + 1;
    let delta = before === 0 ? Math.floor((place - before) / 700) : Math.floor((place - before) / 2);
    delta += Math.floor(delta / size);
    let rounds = 0;
    for (; delta > 455; rounds += 36) delta = Math.floor(delta / 35);
    bias = rounds + Math.floor((36 * delta) / (delta + 38));
    number += Math.floor(place / size);
    place %= size;
    if (number > 0x10ffff) return undefined;
    found.splice(place, 0, String.fromCodePoint(number));
    place += 1;
  }
  return found.join("");
}

const unicode = (text) =>
  punycode(text)
    .split(".")
    .map((label) => (label.startsWith("xn--") ? (decodedLabel(label.slice(4)) ?? label) : label))
    .join(".");

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
  domainToUnicode: unicode,
  fileURLToPath,
  pathToFileURL,
  urlToHttpOptions,
};
