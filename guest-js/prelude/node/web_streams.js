// Web streams, from a polyfill, and those that encode and decode text.

import * as streams from "web-streams-polyfill";

import { builtIn } from "isolette:prelude";

const { TransformStream } = streams;

class TextEncoderStream {
  #stream;
  constructor() {
    const encoder = new TextEncoder();
    // The first half of a pair, whose other half may be in the next piece.
    let half = "";
    this.#stream = new TransformStream({
      transform(piece, to) {
        const text = half + `${piece}`;
        half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
        const bytes = encoder.encode(half === "" ? text : text.slice(0, -1));
        if (bytes.length > 0) to.enqueue(bytes);
      },
      flush(to) {
        if (half !== "") to.enqueue(encoder.encode(half));
      },
    });
  }
  get encoding() {
    return "utf-8";
  }
  get readable() {
    return this.#stream.readable;
  }
  get writable() {
    return this.#stream.writable;
  }
}

class TextDecoderStream {
  #stream;
  #decoder;
  constructor(label, options) {
    const decoder = new TextDecoder(label, options);
    this.#decoder = decoder;
    const emit = (text, to) => {
      if (text !== "") to.enqueue(text);
    };
    this.#stream = new TransformStream({
      transform: (bytes, to) => emit(decoder.decode(bytes, { stream: true }), to),
      flush: (to) => emit(decoder.decode(), to),
    });
  }
  get encoding() {
    return this.#decoder.encoding;
  }
  get fatal() {
    return this.#decoder.fatal;
  }
  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }
  get readable() {
    return this.#stream.readable;
  }
  get writable() {
    return this.#stream.writable;
  }
}

builtIn("TextEncoderStream", TextEncoderStream);
builtIn("TextDecoderStream", TextDecoderStream);

export default { ...streams, TextEncoderStream, TextDecoderStream };
