// `Buffer`, from a polyfill, with the one encoding that it lacks.

import { Buffer } from "buffer";

const URL_SAFE = /^base64url$/i;

const { from, isEncoding } = Buffer;
const { toString } = Buffer.prototype;

function replace(owner, name, method) {
  Object.defineProperty(owner, name, {
    value: Object.defineProperty(method, "name", { value: name }),
    writable: true,
    configurable: true,
  });
}

// The polyfill decodes both alphabets as `base64`.
replace(Buffer, "from", (value, encoding, length) =>
  from(value, typeof encoding === "string" && URL_SAFE.test(encoding) ? "base64" : encoding, length),
);
replace(Buffer, "isEncoding", (encoding) => URL_SAFE.test(encoding) || isEncoding(encoding));
replace(Buffer.prototype, "toString", function (encoding, start, end) {
  if (typeof encoding === "string" && URL_SAFE.test(encoding)) {
    return toString.call(this, "base64", start, end).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }
  return encoding === undefined && start === undefined
    ? toString.call(this)
    : toString.call(this, encoding, start, end);
});

export { Buffer };
