// `createCipheriv` and `createDecipheriv`. Input is collected and the output returned at the end; only CTR returns it
// immediately.

import { Buffer, host } from "isolette:prelude";

import { coded, invalidType } from "./errors.js";

const NAME = /^aes-?(128|192|256)-(gcm|cbc|ctr)$/i;
const TAG = 16;

const bytesOf = (data, name, encoding) => {
  if (typeof data === "string") return Buffer.from(data, encoding ?? "utf8");
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  if (typeof data?.export === "function") return data.export();
  throw invalidType(name, "of type string or an instance of Buffer, TypedArray, or DataView", data);
};

const shown = (bytes, encoding) => (encoding === undefined || encoding === "buffer" ? bytes : bytes.toString(encoding));

// A copy, because the program may reuse its buffer.
const copyOf = (...args) => Buffer.from(bytesOf(...args));

// The counter after a number of blocks.
function counterBehind(counter, blocks) {
  const moved = Buffer.from(counter);
  let carry = blocks;
  for (let index = moved.length - 1; index >= 0 && carry > 0; index -= 1) {
    const sum = moved[index] + (carry % 256);
    moved[index] = sum % 256;
    carry = Math.floor(carry / 256) + (sum > 255 ? 1 : 0);
  }
  return moved;
}

class Cipher {
  #encrypts;
  #mode;
  #key;
  #iv;
  #pieces = [];
  #extra = Buffer.alloc(0);
  #tag;
  #pads = true;
  // The number of processed bytes of a stream cipher.
  #passed = 0;
  #done = false;

  constructor(encrypts, algorithm, key, iv) {
    const match = NAME.exec(algorithm);
    if (match === null) throw coded(Error, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
    this.#encrypts = encrypts;
    this.#mode = match[2].toLowerCase();
    this.#key = copyOf(key, "key");
    this.#iv = copyOf(iv, "iv");
    if (this.#key.length !== Number(match[1]) / 8) throw coded(RangeError, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
    const fits = this.#mode === "gcm" ? [12, 16].includes(this.#iv.length) : this.#iv.length === 16;
    if (!fits) throw coded(TypeError, "ERR_CRYPTO_INVALID_IV", "Invalid initialization vector");
  }
  update(data, inputEncoding, outputEncoding) {
    if (this.#done) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Unsupported state or unable to authenticate data");
    const bytes = copyOf(data, "data", inputEncoding);
    if (this.#mode === "ctr") return shown(this.#stream(bytes), outputEncoding);
    this.#pieces.push(bytes);
    return shown(Buffer.alloc(0), outputEncoding);
  }
  #stream(bytes) {
    const within = this.#passed % 16;
    const counter = counterBehind(this.#iv, Math.floor(this.#passed / 16));
    const padded = within === 0 ? bytes : Buffer.concat([Buffer.alloc(within), bytes]);
    const content = host.aes("ctr", this.#encrypts, this.#key, counter, padded, this.#extra);
    this.#passed += bytes.length;
    return Buffer.from(content.buffer, content.byteOffset + within, bytes.length);
  }
  final(outputEncoding) {
    if (this.#done) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Unsupported state");
    this.#done = true;
    if (this.#mode === "ctr") return shown(Buffer.alloc(0), outputEncoding);
    let data = Buffer.concat(this.#pieces);
    if (this.#mode === "gcm" && !this.#encrypts) {
      // Without the length of the tag, the end of the content would be taken for it.
      if (this.#tag === undefined) throw new Error("Unsupported state or unable to authenticate data");
      data = Buffer.concat([data, this.#tag]);
    }
    const mode = this.#mode === "cbc" && !this.#pads ? "cbc-bare" : this.#mode;
    let content = host.aes(mode, this.#encrypts, this.#key, this.#iv, data, this.#extra);
    if (content == null) {
      if (this.#mode === "gcm") throw new Error("Unsupported state or unable to authenticate data");
      if (this.#encrypts || !this.#pads) throw coded(Error, "ERR_OSSL_WRONG_FINAL_BLOCK_LENGTH", "error:1C80006B:Provider routines::wrong final block length");
      throw coded(Error, "ERR_OSSL_BAD_DECRYPT", "error:1C800064:Provider routines::bad decrypt");
    }
    content = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (this.#mode === "gcm" && this.#encrypts) {
      this.#tag = content.subarray(content.length - TAG);
      content = content.subarray(0, content.length - TAG);
    }
    return shown(content, outputEncoding);
  }
  setAAD(data) {
    this.#extra = Buffer.concat([this.#extra, bytesOf(data, "buffer")]);
    return this;
  }
  getAuthTag() {
    if (!this.#done || this.#mode !== "gcm" || !this.#encrypts) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Invalid state for operation getAuthTag");
    return Buffer.from(this.#tag);
  }
  setAuthTag(tag, encoding) {
    this.#tag = copyOf(tag, "tag", encoding);
    if (this.#tag.length !== TAG) throw coded(TypeError, "ERR_CRYPTO_INVALID_AUTH_TAG", `Invalid authentication tag length: ${this.#tag.length}`);
    return this;
  }
  setAutoPadding(pads = true) {
    this.#pads = Boolean(pads);
    return this;
  }
}

export const createCipheriv = (algorithm, key, iv) => new Cipher(true, algorithm, key, iv);
export const createDecipheriv = (algorithm, key, iv) => new Cipher(false, algorithm, key, iv);
export const getCiphers = () => ["cbc", "ctr", "gcm"].flatMap((mode) => [128, 192, 256].map((size) => `aes-${size}-${mode}`)).sort();
