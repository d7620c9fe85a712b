// `Blob` and `File`.

import { streamOf } from "./body_stream.js";
import { bytesOf, encodeText } from "./encoding.js";
import { builtIn } from "./globals.js";
import { host } from "./host.js";

// Bytes in the forms that web constructors accept.
export function concatenate(parts) {
  const pieces = [...parts].map((part) => {
    if (part instanceof Blob) return bytes(part);
    if (part instanceof ArrayBuffer || ArrayBuffer.isView(part)) return bytesOf(part);
    return encodeText(`${part}`);
  });
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export class Blob {
  #bytes;
  #type;

  constructor(parts = [], options = {}) {
    this.#bytes = concatenate(parts);
    const type = `${options?.type ?? ""}`;
    this.#type = /[^\x20-\x7e]/.test(type) ? "" : type.toLowerCase();
  }
  static bytes(blob) {
    return blob.#bytes;
  }
  get size() {
    return this.#bytes.length;
  }
  get type() {
    return this.#type;
  }
  slice(start = 0, end = this.size, type = "") {
    return new Blob([this.#bytes.slice(start, end)], { type });
  }
  [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
    const { size, type } = this;
    const more = this instanceof File ? { name: this.name, lastModified: this.lastModified } : {};
    const name = this instanceof File ? "File" : "Blob";
    return depth < 0 ? `[${name}]` : `${name} ${inspect({ size, type, ...more }, options)}`;
  }
  async arrayBuffer() {
    return this.#bytes.slice().buffer;
  }
  async bytes() {
    return this.#bytes.slice();
  }
  stream() {
    return streamOf(() => this.#bytes);
  }
  async text() {
    return host.decodeText(this.#bytes, "utf-8", false, false);
  }
}

export class File extends Blob {
  #name;
  #lastModified;

  constructor(parts, name, options = {}) {
    super(parts, options);
    this.#name = `${name}`;
    this.#lastModified = Number(options?.lastModified ?? Date.now());
  }
  get name() {
    return this.#name;
  }
  get lastModified() {
    return this.#lastModified;
  }
}

const { bytes } = Blob;
delete Blob.bytes;
builtIn("Blob", Blob);
builtIn("File", File);

export { bytes as bytesOfBlob };
