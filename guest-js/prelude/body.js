// What Request and Response have in common: a body that is read once, in one of several forms.

import { Blob, bytesOfBlob } from "./blob.js";
import { bytesOf, encodeText } from "./encoding.js";
import { FormData, multipart } from "./form_data.js";
import { host } from "./host.js";

const { parse } = JSON;
const TEXT = "text/plain;charset=UTF-8";
const FORM = "application/x-www-form-urlencoded;charset=UTF-8";

// Bytes for anything that may be a body, and the content type that goes with them.
export function extract(body) {
  if (body === undefined || body === null) return [null, null];
  if (typeof body === "string") return [encodeText(body), TEXT];
  if (body instanceof URLSearchParams) return [encodeText(body.toString()), FORM];
  if (body instanceof Blob) return [bytesOfBlob(body), body.type || null];
  if (body instanceof FormData) return multipart(body);
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return [bytesOf(body).slice(), null];
  return [encodeText(`${body}`), TEXT];
}

// The body as a stream of one piece, for programs that read it so.
class BodyStream {
  #take;
  locked = false;
  constructor(take) {
    this.#take = take;
    Object.defineProperty(this, "locked", { enumerable: false });
  }
  getReader() {
    if (this.locked) throw new TypeError("Invalid state: ReadableStream is locked");
    this.locked = true;
    let done = false;
    return {
      read: async () => {
        if (done) return { value: undefined, done: true };
        done = true;
        const value = this.#take();
        return value.length === 0 ? { value: undefined, done: true } : { value, done: false };
      },
      cancel: async () => {
        done = true;
      },
      releaseLock: () => {
        this.locked = false;
      },
    };
  }
  async cancel() {
    this.#take();
  }
  async *[Symbol.asyncIterator]() {
    const piece = this.#take();
    if (piece.length > 0) yield piece;
  }
}
Object.defineProperty(BodyStream, "name", { value: "ReadableStream" });

export class Body {
  #bytes;
  #type;
  #used = false;
  #stream;

  // `type` says what the content type is at the time when it is wanted.
  constructor(bytes, type) {
    this.#bytes = bytes;
    this.#type = type;
  }

  #take() {
    if (this.#used) throw new TypeError("Body is unusable: Body has already been read");
    if (this.#bytes === null) return new Uint8Array(0);
    this.#used = true;
    return this.#bytes;
  }

  // For a clone or a request: the bytes, read or not.
  static peek(body) {
    if (body.#used) throw new TypeError("Body is unusable: Body has already been read");
    return body.#bytes;
  }

  get body() {
    if (this.#bytes === null) return null;
    this.#stream ??= new BodyStream(() => this.#take());
    return this.#stream;
  }
  get bodyUsed() {
    return this.#used;
  }
  async arrayBuffer() {
    return this.#take().slice().buffer;
  }
  async bytes() {
    return this.#take().slice();
  }
  async blob() {
    return new Blob([this.#take()], { type: this.#type() ?? "" });
  }
  async text() {
    return host.decodeText(this.#take(), "utf-8", false, false);
  }
  async json() {
    return parse(host.decodeText(this.#take(), "utf-8", false, false));
  }
  async formData() {
    const bytes = this.#take();
    if (!/^application\/x-www-form-urlencoded\b/i.test(this.#type() ?? "")) {
      throw new TypeError("only a body of the type application/x-www-form-urlencoded can be read as form data here");
    }
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(host.decodeText(bytes, "utf-8", false, false)))
      form.append(name, value);
    return form;
  }
}

const { peek } = Body;
delete Body.peek;

export { peek };
