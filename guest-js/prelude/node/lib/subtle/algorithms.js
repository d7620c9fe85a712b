// The algorithms of `crypto.subtle`, and the errors that it throws.

import { Buffer } from "isolette:prelude";

import { hashName } from "../hashes.js";

export const failure = (name, message) => new DOMException(message, name);
export const unsupported = (message = "Unrecognized algorithm name") => failure("NotSupportedError", message);
export const operation = (hint = "") => failure("OperationError", `The operation failed for an operation-specific reason${hint}`);
export const access = (message) => failure("InvalidAccessError", message);
export const data = (message = "Invalid keyData") => failure("DataError", message);

const HASHES = ["SHA-1", "SHA-256", "SHA-384", "SHA-512"];
const ENCRYPTION = ["encrypt", "decrypt", "wrapKey", "unwrapKey"];
const SIGNATURES = ["sign", "verify"];
const DERIVATION = ["deriveKey", "deriveBits"];

// The usages of keys.
export const USAGES = {
  "AES-GCM": ENCRYPTION,
  "AES-CBC": ENCRYPTION,
  "AES-CTR": ENCRYPTION,
  HMAC: SIGNATURES,
  PBKDF2: DERIVATION,
  HKDF: DERIVATION,
  ECDSA: SIGNATURES,
  ECDH: DERIVATION,
  Ed25519: SIGNATURES,
  X25519: DERIVATION,
  "RSASSA-PKCS1-v1_5": SIGNATURES,
  "RSA-PSS": SIGNATURES,
  "RSA-OAEP": ENCRYPTION,
};
const NAMES = new Map([...Object.keys(USAGES), ...HASHES].map((name) => [name.toLowerCase(), name]));

// The usages of the private key of a pair; the other ones are for the public key.
const PRIVATE = ["sign", "decrypt", "unwrapKey", ...DERIVATION];
export const usagesOfHalf = (name, type) => USAGES[name].filter((usage) => PRIVATE.includes(usage) === (type === "private"));

// The algorithm of an argument, with its name in the standard's spelling.
export function normalised(algorithm) {
  const given = typeof algorithm === "string" ? { name: algorithm } : algorithm;
  if (typeof given?.name !== "string") throw new TypeError("Failed to normalize algorithm: 'name' is required");
  const name = NAMES.get(given.name.toLowerCase());
  if (name === undefined) throw unsupported();
  return { ...given, name };
}

// The name of a hash in Web Crypto.
export function webHash(hash) {
  const { name } = normalised(hash ?? {});
  if (!HASHES.includes(name)) throw unsupported();
  return name;
}

// The name of a hash in the host.
export const hostHash = (hash) => hashName(webHash(hash));

export const NOTHING = new Uint8Array(0);

// A copy, because the program may reuse its buffer.
export function bytesOf(source) {
  if (source instanceof ArrayBuffer) return new Uint8Array(source.slice(0));
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
  throw new TypeError("The data is not of type ArrayBuffer, Buffer, TypedArray or DataView");
}

export function fromBase64url(text) {
  if (typeof text !== "string") throw data("Invalid JWK");
  return new Uint8Array(Buffer.from(text, "base64url"));
}
