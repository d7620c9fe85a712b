// The common part of Request and Response: a body that is read once, in one of several forms.

import { Blob, bytesOfBlob, concatenate } from "./blob.js";
import { streamOf } from "./body_stream.js";
import { bytesOf, encodeText } from "./encoding.js";
import { FormData, multipart, parseMultipart } from "./form_data.js";
import { host } from "./host.js";
import { enumerable } from "./pairs.js";
import { URLSearchParams } from "./url.js";

const { parse } = JSON;
const TEXT = "text/plain;charset=UTF-8";
const FORM = "application/x-www-form-urlencoded;charset=UTF-8";

// The bytes of a value that can be a body, and its content type.
export function extract(body) {
  if (body === undefined || body === null) return [null, null];
  if (typeof body === "string") return [encodeText(body), TEXT];
  if (body instanceof URLSearchParams) return [encodeText(body.toString()), FORM];
  if (body instanceof Blob) return [bytesOfBlob(body), body.type || null];
  if (body instanceof FormData) return multipart(body);
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return [bytesOf(body).slice(), null];
  if (isStream(body)) {
    if (body.locked || isDisturbed(body))
      throw new TypeError("Response body object should not be disturbed or locked");
    return [body, null];
  }
  return [encodeText(`${body}`), TEXT];
}

const UNUSABLE = "Body is unusable: Body has already been read";
// The polyfill of streams has this property, Node's streams the other one.
const isDisturbed = (stream) => stream._disturbed === true || stream.readableDidRead === true;

const isStream = (body) =>
  typeof body === "object" && (typeof body.getReader === "function" || typeof body[Symbol.asyncIterator] === "function");

async function collected(stream) {
  const pieces = [];
  // Of a stream of the web, all pieces are bytes; other iterables may have texts.
  const areBytes = typeof stream.getReader === "function";
  for await (const piece of stream) {
    if (!(piece instanceof Uint8Array || (typeof piece === "string" && !areBytes))) {
      throw new TypeError("Received non-Uint8Array chunk");
    }
    pieces.push(piece);
  }
  return concatenate(pieces);
}

export class Body {
  #bytes;
  #type;
  #used = false;
  #stream;
  // A stream of the program, instead of bytes.
  #source;

  // `type` returns the content type at the time of its use.
  constructor(content, type) {
    if (content !== null && isStream(content) && !(content instanceof Uint8Array)) this.#source = content;
    else this.#bytes = content;
    this.#type = type;
  }

  #take() {
    if (this.#used) throw new TypeError(UNUSABLE);
    if (this.#bytes === null) return new Uint8Array(0);
    this.#used = true;
    return this.#bytes;
  }

  async #all() {
    if (this.#isUnusable()) throw new TypeError(UNUSABLE);
    if (this.#source === undefined) return this.#take();
    this.#used = true;
    return collected(this.#source);
  }

  #isUnusable() {
    return this.bodyUsed || (this.#source ?? this.#stream)?.locked === true;
  }

  // The bytes, if it has no stream of the program.
  static bytesOf(body) {
    return body.#bytes;
  }

  // The bytes or stream for a request that is made of another one, which can no longer be read.
  static move(body) {
    if (body.#isUnusable()) throw new TypeError(UNUSABLE);
    const content = body.#source ?? body.#bytes;
    if (content !== null) body.#used = true;
    return content;
  }

  // The bytes or stream for a copy.
  static peek(body, operation) {
    if (body.#isUnusable()) throw new TypeError(`${operation}: Body has already been consumed.`);
    if (body.#source === undefined) return body.#bytes;
    if (typeof body.#source.tee !== "function") return body.#source;
    const [left, right] = body.#source.tee();
    body.#source = left;
    return right;
  }

  // Reads a stream that is to be sent; nothing if there is none.
  static gather(body) {
    if (body.#source === undefined) return undefined;
    return collected(body.#source).then((bytes) => {
      body.#source = undefined;
      body.#bytes = bytes;
    });
  }

  get body() {
    if (this.#source !== undefined) return this.#source;
    if (this.#bytes === null) return null;
    this.#stream ??= streamOf(() => this.#take());
    return this.#stream;
  }
  get bodyUsed() {
    const stream = this.#source ?? this.#stream;
    return this.#used || (stream !== undefined && isDisturbed(stream));
  }
  async arrayBuffer() {
    return (await this.#all()).slice().buffer;
  }
  async bytes() {
    return (await this.#all()).slice();
  }
  async blob() {
    return new Blob([await this.#all()], { type: this.#type() ?? "" });
  }
  async text() {
    return host.decodeText(await this.#all(), "utf-8", false, false);
  }
  async json() {
    return parse(host.decodeText(await this.#all(), "utf-8", false, false));
  }
  async formData() {
    const type = this.#type() ?? "";
    const bytes = await this.#all();
    const boundary = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type);
    if (boundary !== null) return parseMultipart(bytes, boundary[1] ?? boundary[2]);
    if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
      throw new TypeError(
        "Content-Type was not one of \"multipart/form-data\" or \"application/x-www-form-urlencoded\".",
      );
    }
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(host.decodeText(bytes, "utf-8", false, false)))
      form.append(name, value);
    return form;
  }
}

const { bytesOf: bytesOfBody, gather, move, peek } = Body;
delete Body.bytesOf;
delete Body.gather;
delete Body.move;
delete Body.peek;

enumerable(Body);

export { bytesOfBody, gather, move, peek };
