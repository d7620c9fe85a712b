// The random functions of `crypto`; `subtle` is loaded on first use. Random numbers come from the host's secure source,
// new in each run.

import { bytesOf } from "./encoding.js";
import { builtIn, define } from "./globals.js";
import { host } from "./host.js";

const LARGEST = 65536;
const INTEGERS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
];

class Crypto {
  get subtle() {
    return host.loadModule("subtle").subtle;
  }

  getRandomValues(array) {
    if (!INTEGERS.some((type) => array instanceof type))
      throw new DOMException("The data argument must be an integer-type TypedArray", "TypeMismatchError");
    if (array.byteLength > LARGEST) {
      throw new DOMException(`The requested length exceeds ${LARGEST} bytes`, "QuotaExceededError");
    }
    bytesOf(array).set(host.randomBytes(array.byteLength));
    return array;
  }

  randomUUID() {
    const bytes = host.randomBytes(16);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
}
builtIn("Crypto", Crypto);

export function installCrypto() {
  define("crypto", new Crypto());
}
