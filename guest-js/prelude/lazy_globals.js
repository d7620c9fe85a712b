// Globals that few programs use. Their modules are loaded on first use.

import { define } from "./globals.js";
import { host } from "./host.js";

const GLOBALS = {
  web_streams: [
    "ReadableStream",
    "ReadableStreamDefaultReader",
    "ReadableStreamBYOBReader",
    "ReadableStreamDefaultController",
    "ReadableByteStreamController",
    "WritableStream",
    "WritableStreamDefaultWriter",
    "WritableStreamDefaultController",
    "TransformStream",
    "TransformStreamDefaultController",
    "ByteLengthQueuingStrategy",
    "CountQueuingStrategy",
    "TextEncoderStream",
    "TextDecoderStream",
  ],
  subtle: ["CryptoKey", "SubtleCrypto"],
};

export function installLazyGlobals() {
  for (const [file, names] of Object.entries(GLOBALS)) {
    for (const name of names) {
      Object.defineProperty(globalThis, name, {
        get() {
          const value = host.loadModule(file)[name];
          define(name, value);
          return value;
        },
        set: (value) => define(name, value),
        enumerable: false,
        configurable: true,
      });
    }
  }
}
