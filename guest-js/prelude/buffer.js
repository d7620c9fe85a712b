// `Buffer`, from a polyfill, with the encoding that it lacks, and with faster functions for UTF-8.

import { Buffer } from "buffer";

import { host } from "./host.js";

const URL_SAFE = /^base64url$/i;
const UTF_8 = /^utf-?8$/i;

const { byteLength, from, isEncoding } = Buffer;
const { toString } = Buffer.prototype;

const isUtf8 = (encoding) => encoding === undefined || (typeof encoding === "string" && UTF_8.test(encoding));

function replace(owner, name, method) {
  Object.defineProperty(owner, name, {
    value: Object.defineProperty(method, "name", { value: name }),
    writable: true,
    configurable: true,
  });
}

function range(buffer, start, end) {
  const last = end === undefined || end > buffer.length ? buffer.length : Math.max(end, 0) >>> 0;
  const first = start > 0 ? Math.min(start, buffer.length) >>> 0 : 0;
  return first < last ? buffer.subarray(first, last) : buffer.subarray(0, 0);
}

replace(Buffer, "from", (value, encoding, length) => {
  if (typeof value === "string" && isUtf8(encoding)) {
    const bytes = host.encodeText(value);
    return from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  // The polyfill decodes both alphabets as `base64`.
  return from(value, typeof encoding === "string" && URL_SAFE.test(encoding) ? "base64" : encoding, length);
});
replace(Buffer, "byteLength", (value, encoding) =>
  typeof value === "string" && isUtf8(encoding) ? host.encodeText(value).length : byteLength(value, encoding),
);
replace(Buffer, "isEncoding", (encoding) => URL_SAFE.test(encoding) || isEncoding(encoding));
replace(Buffer.prototype, "toString", function (encoding, start, end) {
  if (isUtf8(encoding)) return host.decodeText(range(this, start, end), "utf-8", false, true);
  if (typeof encoding === "string" && URL_SAFE.test(encoding)) {
    return toString.call(this, "base64", start, end).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }
  return toString.call(this, encoding, start, end);
});

export { Buffer };
