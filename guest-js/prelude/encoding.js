// Text and bytes: TextEncoder, TextDecoder, atob, btoa. The tables are those of browsers (`src/encoding.rs`).

import { builtIn, defineAll } from "./globals.js";
import { host } from "./host.js";

const encode = (text) => host.encodeText(text);

// The bytes of any buffer or view, without a copy.
export function bytesOf(source) {
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  throw new TypeError("expected an ArrayBuffer, a typed array or a DataView");
}

class TextEncoder {
  get encoding() {
    return "utf-8";
  }
  encode(text = "") {
    return encode(`${text}`);
  }
  encodeInto(text, target) {
    const bytes = encode(`${text}`);
    let written = Math.min(bytes.length, target.length);
    // Never splits a character.
    while (written > 0 && written < bytes.length && (bytes[written] & 0xc0) === 0x80) written -= 1;
    target.set(bytes.subarray(0, written));
    return { read: host.decodeText(bytes.subarray(0, written), "utf-8", false, true).length, written };
  }
}

class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  #rest = new Uint8Array(0);
  #begun = false;

  constructor(label = "utf-8", options = {}) {
    const encoding = host.encodingName(`${label}`);
    if (encoding == null) throw new RangeError(`The "${label}" encoding is not supported`);
    this.#encoding = encoding;
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBOM = Boolean(options?.ignoreBOM);
  }
  get encoding() {
    return this.#encoding;
  }
  get fatal() {
    return this.#fatal;
  }
  get ignoreBOM() {
    return this.#ignoreBOM;
  }
  decode(input, options = {}) {
    let bytes = input === undefined ? new Uint8Array(0) : bytesOf(input);
    if (this.#rest.length > 0) {
      const joined = new Uint8Array(this.#rest.length + bytes.length);
      joined.set(this.#rest);
      joined.set(bytes, this.#rest.length);
      bytes = joined;
    }
    const stream = Boolean(options?.stream);
    const end = stream ? complete(bytes, this.#encoding) : bytes.length;
    this.#rest = bytes.slice(end);
    const text = host.decodeText(bytes.subarray(0, end), this.#encoding, this.#fatal, this.#ignoreBOM || this.#begun);
    // A mark may arrive in several pieces.
    this.#begun = stream && (this.#begun || end > 0);
    if (text == null) {
      this.#rest = new Uint8Array(0);
      throw new TypeError(`The encoded data was not valid for encoding ${this.#encoding}`);
    }
    return text;
  }
}

// The end of the last complete character.
function complete(bytes, encoding) {
  if (encoding === "utf-8") return completeUtf8(bytes);
  if (encoding !== "utf-16le" && encoding !== "utf-16be") return bytes.length;
  const end = bytes.length - (bytes.length % 2);
  const high = bytes[end - (encoding === "utf-16le" ? 1 : 2)];
  return end > 0 && (high & 0xfc) === 0xd8 ? end - 2 : end;
}

function completeUtf8(bytes) {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back];
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function invalidCharacter() {
  return new DOMException(
    "The string to be encoded contains characters outside of the Latin1 range.",
    "InvalidCharacterError",
  );
}

function btoa(data) {
  const text = `${data}`;
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > 255) throw invalidCharacter();
    bytes[index] = code;
  }
  return host.encodeBase64(bytes);
}

function atob(data) {
  const bytes = host.decodeBase64(`${data}`.replace(/[\t\n\f\r ]/g, ""));
  if (bytes == null)
    throw new DOMException("The string to be decoded is not correctly encoded.", "InvalidCharacterError");
  return latin1(bytes);
}

export function latin1(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 4096)
    text += String.fromCharCode(...bytes.subarray(start, start + 4096));
  return text;
}

export function installEncoding() {
  defineAll({
    TextEncoder: builtIn("TextEncoder", TextEncoder),
    TextDecoder: builtIn("TextDecoder", TextDecoder),
    atob,
    btoa,
  });
}

export { encode as encodeText };
