// `string_decoder`: decodes text from chunks without splitting characters.

import { Buffer } from "isolette:prelude";

import { coded } from "./lib/errors.js";

// The number of bytes at the end that are an incomplete UTF-8 character.
function unfinished(bytes) {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back];
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

const KEPT = {
  utf8: unfinished,
  utf16le: (bytes) => {
    const odd = bytes.length % 2;
    const high = bytes.length > odd ? bytes[bytes.length - odd - 1] : 0;
    return odd + (high >= 0xd8 && high <= 0xdb ? 2 : 0);
  },
  base64: (bytes) => bytes.length % 3,
  base64url: (bytes) => bytes.length % 3,
};

const NAMES = { "utf-8": "utf8", ucs2: "utf16le", "ucs-2": "utf16le", "utf-16le": "utf16le", binary: "latin1" };

class StringDecoder {
  #rest = Buffer.alloc(0);
  constructor(encoding = "utf8") {
    const lower = `${encoding ?? "utf8"}`.toLowerCase();
    if (!Buffer.isEncoding(lower)) throw coded(TypeError, "ERR_UNKNOWN_ENCODING", `Unknown encoding: ${encoding}`);
    this.encoding = NAMES[lower] ?? lower;
  }
  write(piece) {
    if (typeof piece === "string") return piece;
    const bytes = Buffer.concat([this.#rest, Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)]);
    const end = bytes.length - (KEPT[this.encoding]?.(bytes) ?? 0);
    this.#rest = bytes.subarray(end);
    return bytes.toString(this.encoding, 0, end);
  }
  end(piece) {
    const text = (piece === undefined ? "" : this.write(piece)) + this.#rest.toString(this.encoding);
    this.#rest = Buffer.alloc(0);
    return text;
  }
  get lastNeed() {
    return this.#rest.length;
  }
}

export default { StringDecoder };
