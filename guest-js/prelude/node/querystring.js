// `querystring`.

const KEPT = /[^A-Za-z0-9\-_.!~*'()]/;

const escape = (text) => {
  const string = typeof text === "string" ? text : typeof text === "object" ? String(text) : `${text}`;
  return KEPT.test(string) ? encodeURIComponent(string) : string;
};

// Malformed sequences are kept, byte by byte.
function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = [];
    for (const piece of text.match(/%[0-9a-f]{2}|[^%]+|%/gi) ?? []) {
      if (/^%[0-9a-f]{2}$/i.test(piece)) bytes.push(parseInt(piece.slice(1), 16));
      else bytes.push(...new TextEncoder().encode(piece));
    }
    return new TextDecoder().decode(new Uint8Array(bytes));
  }
}

const primitive = (value) => {
  if (typeof value === "string") return value;
  if (typeof value === "number" && Number.isFinite(value)) return `${value}`;
  return typeof value === "bigint" || typeof value === "boolean" ? `${value}` : "";
};

function stringify(object, separator = "&", equals = "=", options) {
  const encode = options?.encodeURIComponent ?? querystring.escape;
  if (object === null || typeof object !== "object") return "";
  const pairs = Object.entries(object).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => `${encode(primitive(name))}${equals ?? "="}${encode(primitive(item))}`),
  );
  return pairs.join(separator ?? "&");
}

function parse(text, separator = "&", equals = "=", options) {
  const found = Object.create(null);
  if (typeof text !== "string" || text === "") return found;
  const decode = options?.decodeURIComponent ?? querystring.unescape;
  const most = typeof options?.maxKeys === "number" ? options.maxKeys : 1000;
  let parts = text.split(separator || "&");
  if (most > 0) parts = parts.slice(0, most);
  const read = (part) => {
    const spaced = part.replaceAll("+", " ");
    try {
      return decode(spaced);
    } catch {
      return unescape(spaced);
    }
  };
  for (const part of parts) {
    if (part === "") continue;
    const at = part.indexOf(equals || "=");
    const name = read(at < 0 ? part : part.slice(0, at));
    const value = at < 0 ? "" : read(part.slice(at + (equals || "=").length));
    if (!(name in found)) found[name] = value;
    else if (Array.isArray(found[name])) found[name].push(value);
    else found[name] = [found[name], value];
  }
  return found;
}

const querystring = { stringify, encode: stringify, parse, decode: parse, escape, unescape, unescapeBuffer: (text) => Buffer.from(unescape(text)) };

export default querystring;
