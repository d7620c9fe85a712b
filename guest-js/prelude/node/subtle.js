// `crypto.subtle`.

import { builtIn } from "isolette:prelude";

import { access, bytesOf, data, failure, normalised, unsupported, webHash } from "./lib/subtle/algorithms.js";
import { aes } from "./lib/subtle/aes.js";
import { CryptoKey, contentFor, contentOf } from "./lib/subtle/keys.js";
import { derivingPoints, signingPoints } from "./lib/subtle/points.js";
import { encryptingRsa, signingRsa } from "./lib/subtle/rsa.js";
import { derivation, hash, hmac, hmacLength } from "./lib/subtle/secrets.js";

// The implementation of each algorithm.
const WORKERS = {
  "AES-GCM": aes,
  "AES-CBC": aes,
  "AES-CTR": aes,
  HMAC: hmac,
  PBKDF2: derivation,
  HKDF: derivation,
  ECDSA: signingPoints,
  ECDH: derivingPoints,
  Ed25519: signingPoints,
  X25519: derivingPoints,
  "RSASSA-PKCS1-v1_5": signingRsa,
  "RSA-PSS": signingRsa,
  "RSA-OAEP": encryptingRsa,
};

function workOf({ name }, method) {
  const work = WORKERS[name]?.[method];
  if (work === undefined) throw unsupported();
  return work;
}

const FORMATS = ["raw", "jwk", "pkcs8", "spki"];

function checkFormat(format) {
  if (!FORMATS.includes(format)) throw new TypeError(`'${format}' is not a valid enum value of type KeyFormat.`);
}

function importKey(format, keyData, algorithm, extractable, usages) {
  checkFormat(format);
  const wanted = normalised(algorithm);
  const work = workOf(wanted, "importKey");
  const imported = work(format, format === "jwk" ? keyData : bytesOf(keyData), wanted, extractable, usages);
  if (imported.type !== "public" && imported.usages.length === 0) {
    throw failure("SyntaxError", `Usages cannot be empty when importing a ${imported.type} key.`);
  }
  return imported;
}

function exportKey(format, cryptoKey) {
  checkFormat(format);
  const content = contentOf(cryptoKey);
  if (!cryptoKey.extractable) throw access("key is not extractable");
  return workOf(cryptoKey.algorithm, "exportKey")(format, cryptoKey, content);
}

function generateKey(algorithm, extractable, usages) {
  const wanted = normalised(algorithm);
  const made = workOf(wanted, "generateKey")(wanted, extractable, usages);
  const secret = made.privateKey ?? made;
  if (secret.usages.length === 0) throw failure("SyntaxError", "Usages cannot be empty when creating a key.");
  return made;
}

function sign(algorithm, cryptoKey, message) {
  const wanted = normalised(algorithm);
  const work = workOf(wanted, "sign");
  const content = contentFor(cryptoKey, wanted.name, "sign", "Unable to use this key to sign");
  return work(wanted, cryptoKey, content, bytesOf(message)).buffer;
}

function verify(algorithm, cryptoKey, signature, message) {
  const wanted = normalised(algorithm);
  const work = workOf(wanted, "verify");
  const content = contentFor(cryptoKey, wanted.name, "verify", "Unable to use this key to verify");
  return work(wanted, cryptoKey, content, bytesOf(signature), bytesOf(message));
}

function derive(algorithm, cryptoKey, length, usage) {
  const wanted = normalised(algorithm);
  const work = workOf(wanted, "derive");
  const content = contentOf(cryptoKey);
  if (!cryptoKey.usages.includes(usage)) throw access(`baseKey does not have ${usage} usage`);
  if (cryptoKey.algorithm.name !== wanted.name) throw access("Key algorithm mismatch");
  return work(wanted, cryptoKey, content, length).buffer;
}

function deriveKey(algorithm, cryptoKey, wanted, extractable, usages) {
  const asked = normalised(wanted);
  const length = asked.name === "HMAC" ? hmacLength(asked) : (asked.length ?? null);
  return importKey("raw", derive(algorithm, cryptoKey, length, "deriveKey"), wanted, extractable, usages);
}

function crypt(method, usage) {
  return (algorithm, cryptoKey, bytes) => {
    const wanted = normalised(algorithm);
    const work = workOf(wanted, method);
    const content = contentFor(cryptoKey, wanted.name, usage, "The requested operation is not valid for the provided key");
    return work(wanted, cryptoKey, content, bytesOf(bytes)).buffer;
  };
}

function wrapKey(format, cryptoKey, wrapping, algorithm) {
  const exported = exportKey(format, cryptoKey);
  const bytes = format === "jwk" ? new TextEncoder().encode(JSON.stringify(exported)) : exported;
  return crypt("encrypt", "wrapKey")(algorithm, wrapping, bytes);
}

function parsed(bytes) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw data("Invalid wrapped JWK key");
  }
}

function unwrapKey(format, wrapped, unwrapping, algorithm, keyAlgorithm, extractable, usages) {
  checkFormat(format);
  const bytes = crypt("decrypt", "unwrapKey")(algorithm, unwrapping, wrapped);
  return importKey(format, format === "jwk" ? parsed(bytes) : bytes, keyAlgorithm, extractable, usages);
}

class SubtleCrypto {}
const methods = {
  digest: (algorithm, message) => hash(webHash(algorithm), bytesOf(message)).buffer,
  importKey,
  exportKey,
  generateKey,
  sign,
  verify,
  encrypt: crypt("encrypt", "encrypt"),
  decrypt: crypt("decrypt", "decrypt"),
  deriveBits: (algorithm, cryptoKey, length) => derive(algorithm, cryptoKey, length, "deriveBits"),
  deriveKey,
  wrapKey,
  unwrapKey,
};
for (const [name, method] of Object.entries(methods)) {
  const value = { [name]: async (...args) => method(...args) }[name];
  Object.defineProperty(SubtleCrypto.prototype, name, { value, writable: true, configurable: true });
}
builtIn("SubtleCrypto", SubtleCrypto);

export default { subtle: new SubtleCrypto(), CryptoKey, SubtleCrypto };
