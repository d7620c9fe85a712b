// Web streams, from a polyfill, and those that encode and decode text.

import * as streams from "web-streams-polyfill";

import { builtIn } from "isolette:prelude";

const { TransformStream } = streams;

class TextEncoderStream {
  #stream;
  constructor() {
    const encoder = new TextEncoder();
    this.#stream = new TransformStream({ transform: (text, to) => to.enqueue(encoder.encode(text)) });
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
