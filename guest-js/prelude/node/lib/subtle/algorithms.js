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

// What a key may be for.
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

// What only the private half of a pair may be for; the rest is for the public one.
const PRIVATE = ["sign", "decrypt", "unwrapKey", ...DERIVATION];
export const usagesOfHalf = (name, type) => USAGES[name].filter((usage) => PRIVATE.includes(usage) === (type === "private"));

// The algorithm that a program means, with its name as the standard writes it.
export function normalised(algorithm) {
  const given = typeof algorithm === "string" ? { name: algorithm } : algorithm;
  if (typeof given?.name !== "string") throw new TypeError("Failed to normalize algorithm: 'name' is required");
  const name = NAMES.get(given.name.toLowerCase());
  if (name === undefined) throw unsupported();
  return { ...given, name };
}

// The name of a hash as the web writes it.
export function webHash(hash) {
  const { name } = normalised(hash ?? {});
  if (!HASHES.includes(name)) throw unsupported();
  return name;
}

// The name of a hash as the host writes it.
export const hostHash = (hash) => hashName(webHash(hash));

export const NOTHING = new Uint8Array(0);

// A copy: the program may use its own memory for something else meanwhile.
export function bytesOf(source) {
  if (source instanceof ArrayBuffer) return new Uint8Array(source.slice(0));
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
  throw new TypeError("The data is not of type ArrayBuffer, Buffer, TypedArray or DataView");
}

export function fromBase64url(text) {
  if (typeof text !== "string") throw data("Invalid JWK");
  return new Uint8Array(Buffer.from(text, "base64url"));
}
