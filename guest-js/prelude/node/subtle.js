// `crypto.subtle`.

import { Buffer, builtIn, host } from "isolette:prelude";

import { HASHES, hashName } from "./lib/hashes.js";

const failure = (name, message) => new DOMException(message, name);
const unsupported = (message = "Unrecognized algorithm name") => failure("NotSupportedError", message);
const operation = () => failure("OperationError", "The operation failed for an operation-specific reason");
const access = (message) => failure("InvalidAccessError", message);
const data = (message = "Invalid keyData") => failure("DataError", message);

const CURVES = { "P-256": 32, "P-384": 48 };
const WEB_HASHES = { "SHA-1": "sha1", "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512" };
const USAGES = {
  "AES-GCM": ["encrypt", "decrypt", "wrapKey", "unwrapKey"],
  "AES-CBC": ["encrypt", "decrypt", "wrapKey", "unwrapKey"],
  "AES-CTR": ["encrypt", "decrypt", "wrapKey", "unwrapKey"],
  HMAC: ["sign", "verify"],
  PBKDF2: ["deriveKey", "deriveBits"],
  HKDF: ["deriveKey", "deriveBits"],
  ECDSA: ["sign", "verify"],
  Ed25519: ["sign", "verify"],
  ECDH: ["deriveKey", "deriveBits"],
};
const NAMES = new Map([...Object.keys(USAGES), ...Object.keys(WEB_HASHES)].map((name) => [name.toLowerCase(), name]));

// The algorithm that a program means, with its name as the standard writes it.
function normalised(algorithm) {
  const given = typeof algorithm === "string" ? { name: algorithm } : algorithm;
  if (typeof given?.name !== "string") throw new TypeError("Failed to normalize algorithm: 'name' is required");
  const name = NAMES.get(given.name.toLowerCase());
  if (name === undefined) {
    const hint = /^rsa/i.test(given.name) ? "\nhint: ECDSA and Ed25519 sign, AES-GCM encrypts" : "";
    throw unsupported(`Unrecognized algorithm name${hint}`);
  }
  return { ...given, name };
}

function webHash(hash) {
  const { name } = normalised(hash ?? {});
  if (!Object.hasOwn(WEB_HASHES, name)) throw unsupported();
  return name;
}

const bytesOf = (source) => {
  if (source instanceof ArrayBuffer) return new Uint8Array(source.slice(0));
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice();
  throw new TypeError("The data is not of type ArrayBuffer, Buffer, TypedArray or DataView");
};
const base64url = (bytes) => Buffer.from(bytes).toString("base64url");
const fromBase64url = (text) => {
  if (typeof text !== "string") throw data("Invalid JWK");
  return new Uint8Array(Buffer.from(text, "base64url"));
};
const NOTHING = new Uint8Array(0);

function digestOf(name, bytes, key) {
  const hash = hashName(name);
  const running = host.digest(hash, key);
  host.digestUpdate(running, bytes);
  return host.digestFinish(running, HASHES[hash][0]);
}

const contents = new WeakMap();
const making = Symbol("making");

class CryptoKey {
  constructor(permission, type, algorithm, extractable, usages, content) {
    if (permission !== making) throw new TypeError("Illegal constructor");
    contents.set(this, { type, algorithm, extractable, usages, content });
  }
  get type() {
    return contents.get(this).type;
  }
  get algorithm() {
    return contents.get(this).algorithm;
  }
  get extractable() {
    return contents.get(this).extractable;
  }
  get usages() {
    return [...contents.get(this).usages];
  }
  [Symbol.for("nodejs.util.inspect.custom")](_depth, options, inspect) {
    const { type, extractable, algorithm, usages } = this;
    return `CryptoKey ${inspect({ type, extractable, algorithm, usages }, options)}`;
  }
}
builtIn("CryptoKey", CryptoKey);

const key = (type, algorithm, extractable, usages, content) =>
  new CryptoKey(making, type, algorithm, Boolean(extractable), usages, content);

function checkUsages(name, usages, allowed = USAGES[name], needsOne = false) {
  const list = [...new Set(usages)];
  if (list.some((usage) => !allowed.includes(usage))) {
    throw failure("SyntaxError", `Unsupported key usage for a ${name} key`);
  }
  if (needsOne && list.length === 0) throw failure("SyntaxError", "Usages cannot be empty when creating a key.");
  return list;
}

// What a key holds, if it is one for that.
function contentOf(cryptoKey, name, usage) {
  if (!(cryptoKey instanceof CryptoKey)) throw new TypeError("The key is no CryptoKey");
  if (cryptoKey.algorithm.name !== name) throw access("The requested operation is not valid for the provided key");
  if (usage !== undefined && !cryptoKey.usages.includes(usage)) {
    throw access(`Unable to use this key to ${usage}`);
  }
  return contents.get(cryptoKey).content;
}

const aesAlgorithm = (name, bytes) => {
  if (![16, 24, 32].includes(bytes.length)) throw data("Invalid key length");
  return { name, length: bytes.length * 8 };
};

function hmacAlgorithm({ hash, length }, bytes) {
  const name = webHash(hash);
  if (bytes.length === 0) throw data("Zero-length key is not supported");
  if (length !== undefined && length !== bytes.length * 8) throw data("Invalid key length");
  return { name: "HMAC", hash: { name }, length: length ?? bytes.length * 8 };
}

function importSecret(format, keyData, algorithm, extractable, usages) {
  const { name } = algorithm;
  const bytes = format === "jwk" ? fromBase64url(keyData.k) : bytesOf(keyData);
  if (format === "jwk" && keyData.kty !== "oct") throw data("Invalid JWK \"kty\" Parameter");
  if (name === "PBKDF2" || name === "HKDF") {
    if (extractable) throw failure("SyntaxError", `${name} keys are not extractable`);
    return key("secret", { name }, false, checkUsages(name, usages), bytes);
  }
  const described = name === "HMAC" ? hmacAlgorithm(algorithm, bytes) : aesAlgorithm(name, bytes);
  return key("secret", described, extractable, checkUsages(name, usages, USAGES[name], true), bytes);
}

// Which usages a half of a pair may have.
const PRIVATE = ["sign", "deriveKey", "deriveBits"];
const half = (name, type) =>
  USAGES[name].filter((usage) => (type === "private" ? PRIVATE.includes(usage) : !PRIVATE.includes(usage)));

const curveOf = ({ name, namedCurve }) => (name === "Ed25519" ? "Ed25519" : namedCurve);

function importPoint(format, keyData, algorithm, extractable, usages) {
  const { name } = algorithm;
  const curve = curveOf(algorithm);
  if (name !== "Ed25519" && !Object.hasOwn(CURVES, curve)) throw unsupported("Unrecognized namedCurve");
  let found;
  if (format === "jwk") {
    if ((keyData.crv ?? "") !== curve) throw data('Invalid JWK "crv" Parameter');
    const point = name === "Ed25519" ? fromBase64url(keyData.x) : Buffer.concat([[4], fromBase64url(keyData.x), fromBase64url(keyData.y)].map((part) => Buffer.from(part)));
    const secret = keyData.d === undefined ? undefined : fromBase64url(keyData.d);
    found = secret === undefined ? host.curveKey(curve, "public", new Uint8Array(point)) : host.curveKey(curve, "private", secret);
    if (found != null && Buffer.compare(Buffer.from(found[1]), Buffer.from(point)) !== 0) throw data("Invalid JWK");
  } else {
    const kind = { raw: "public", spki: "spki", pkcs8: "pkcs8" }[format];
    if (kind === undefined) throw unsupported(`Unable to import a key with format ${format}`);
    found = host.curveKey(curve, kind, bytesOf(keyData));
  }
  if (found == null) throw data();
  const [secret, point] = found;
  const type = secret == null ? "public" : "private";
  const described = name === "Ed25519" ? { name } : { name, namedCurve: curve };
  const allowed = checkUsages(name, usages, half(name, type), type === "private");
  return key(type, described, extractable, allowed, { secret, point });
}

function exportPoint(format, cryptoKey, { secret, point }) {
  const { algorithm, type } = cryptoKey;
  const curve = curveOf(algorithm);
  if (format === "jwk") {
    const common = { key_ops: cryptoKey.usages, ext: cryptoKey.extractable };
    const d = secret == null ? {} : { d: base64url(secret) };
    if (curve === "Ed25519") return { ...common, crv: curve, ...d, x: base64url(point), kty: "OKP" };
    const size = CURVES[curve];
    const [x, y] = [point.slice(1, 1 + size), point.slice(1 + size)].map(base64url);
    return { ...common, kty: "EC", x, y, crv: curve, ...d };
  }
  if (format === "raw" && type === "public") return point.slice().buffer;
  if (format === "spki" && type === "public") return host.curveEncode(curve, false, point).buffer;
  if (format === "pkcs8" && type === "private") return host.curveEncode(curve, true, secret).buffer;
  throw access(`Unable to export a ${type} key with format ${format}`);
}

function generatePair(algorithm, extractable, usages) {
  const { name } = algorithm;
  const curve = curveOf(algorithm);
  const size = name === "Ed25519" ? 32 : CURVES[curve];
  if (size === undefined) throw unsupported("Unrecognized namedCurve");
  const list = checkUsages(name, usages);
  let found;
  // Not every number is a key; nearly all are.
  do found = host.curveKey(curve, "private", host.randomBytes(size));
  while (found == null);
  const [secret, point] = found;
  const described = () => (name === "Ed25519" ? { name } : { name, namedCurve: curve });
  const of = (type) => list.filter((usage) => half(name, type).includes(usage));
  if (of("private").length === 0) throw failure("SyntaxError", "Usages cannot be empty when creating a key.");
  return {
    publicKey: key("public", described(), true, of("public"), { secret: null, point }),
    privateKey: key("private", described(), extractable, of("private"), { secret, point }),
  };
}

const AES_MODES = { "AES-GCM": "gcm", "AES-CBC": "cbc", "AES-CTR": "ctr" };

// Only the last `length` bits of the counter count; where they begin again, so does the cipher.
function counted(encrypts, length, secret, counter, bytes) {
  if (!(length >= 1 && length <= 128)) throw operation();
  const blocks = Math.ceil(bytes.length / 16);
  if (blocks > 2 ** length) throw operation();
  const bits = counter.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
  const size = 1n << BigInt(length);
  const left = size - (bits % size);
  const run = (from, part) => new Uint8Array(host.aes("ctr", encrypts, secret, from, part, NOTHING));
  if (BigInt(blocks) <= left) return run(counter, bytes).buffer;
  const first = Number(left) * 16;
  let start = bits - (bits % size);
  const again = new Uint8Array(16);
  for (let index = 15; index >= 0; index -= 1, start >>= 8n) again[index] = Number(start & 255n);
  const content = new Uint8Array(bytes.length);
  content.set(run(counter, bytes.slice(0, first)));
  content.set(run(again, bytes.slice(first)), first);
  return content.buffer;
}

function checkDigest(cryptoKey, name) {
  if (cryptoKey.algorithm.namedCurve !== "P-384" || name !== "SHA-1") return;
  throw unsupported("P-384 signs no digests of SHA-1 here\nhint: use SHA-256, SHA-384 or SHA-512");
}

function cipher(encrypts, algorithm, secret, bytes) {
  const { name } = algorithm;
  const iv = bytesOf(name === "AES-CTR" ? algorithm.counter : algorithm.iv);
  const size = algorithm.tagLength ?? 128;
  if (name === "AES-GCM" && size !== 128) throw unsupported("AES-GCM has tags of 128 bits here");
  if (name === "AES-GCM" && iv.length !== 12 && iv.length !== 16) throw unsupported("AES-GCM has an iv of 12 or 16 bytes here");
  if (name !== "AES-GCM" && iv.length !== 16) throw operation();
  if (name === "AES-CTR") return counted(encrypts, algorithm.length, secret, iv, bytes);
  const extra = algorithm.additionalData === undefined ? NOTHING : bytesOf(algorithm.additionalData);
  const content = host.aes(AES_MODES[name], encrypts, secret, iv, bytes, extra);
  if (content == null) throw operation();
  return content.buffer;
}

function derive(algorithm, cryptoKey, length, usage) {
  const { name } = algorithm;
  if (name === "ECDH") {
    const { secret } = contentOf(cryptoKey, name, usage);
    const other = algorithm.public;
    if (!(other instanceof CryptoKey) || other.algorithm.namedCurve !== cryptoKey.algorithm.namedCurve) throw access("Named curve mismatch");
    const shared = host.curveDerive(curveOf(cryptoKey.algorithm), secret, contentOf(other, name).point);
    if (shared == null) throw operation();
    if (length === null || length === undefined) return shared.buffer;
    if (length > shared.length * 8) throw operation();
    return shared.slice(0, Math.ceil(length / 8)).buffer;
  }
  if (name !== "PBKDF2" && name !== "HKDF") throw unsupported();
  const secret = contentOf(cryptoKey, name, usage);
  const hash = webHash(algorithm.hash);
  if (length === null || length === undefined || length % 8 !== 0) throw operation();
  if (length === 0) return new ArrayBuffer(0);
  const rounds = name === "PBKDF2" ? algorithm.iterations : 0;
  if (name === "PBKDF2" && !(rounds > 0)) throw operation();
  const info = name === "HKDF" ? bytesOf(algorithm.info) : NOTHING;
  const bits = host.deriveBits(WEB_HASHES[hash], secret, bytesOf(algorithm.salt), info, rounds, length / 8);
  if (bits == null) throw operation();
  return bits.buffer;
}

function importKey(format, keyData, algorithm, extractable, usages) {
  const wanted = normalised(algorithm);
  if (!["raw", "jwk", "pkcs8", "spki"].includes(format)) throw new TypeError(`'${format}' is not a valid enum value of type KeyFormat.`);
  if (["ECDSA", "ECDH", "Ed25519"].includes(wanted.name)) return importPoint(format, keyData, wanted, extractable, usages);
  if (!Object.hasOwn(USAGES, wanted.name)) throw unsupported();
  if (format !== "raw" && format !== "jwk") throw unsupported(`Unable to import ${wanted.name} key with format ${format}`);
  return importSecret(format, keyData, wanted, extractable, usages);
}

function exportKey(format, cryptoKey) {
  if (!(cryptoKey instanceof CryptoKey)) throw new TypeError("The key is no CryptoKey");
  const { content, algorithm } = contents.get(cryptoKey);
  if (!cryptoKey.extractable) throw access("key is not extractable");
  if (content.point !== undefined) return exportPoint(format, cryptoKey, content);
  if (format === "raw") return content.slice().buffer;
  if (format !== "jwk") throw unsupported();
  const alg = algorithm.name === "HMAC" ? `HS${algorithm.hash.name.slice(4)}` : `A${algorithm.length}${algorithm.name.slice(4)}`;
  return { key_ops: cryptoKey.usages, ext: true, kty: "oct", k: base64url(content), alg };
}

function generateKey(algorithm, extractable, usages) {
  const wanted = normalised(algorithm);
  const { name } = wanted;
  if (["ECDSA", "ECDH", "Ed25519"].includes(name)) return generatePair(wanted, extractable, usages);
  const list = checkUsages(name, usages, USAGES[name] ?? [], true);
  if (name === "HMAC") {
    const hash = webHash(wanted.hash);
    const length = wanted.length ?? HASHES[WEB_HASHES[hash]][1] * 8;
    return key("secret", { name, hash: { name: hash }, length }, extractable, list, host.randomBytes(Math.ceil(length / 8)));
  }
  if (!Object.hasOwn(AES_MODES, name)) throw unsupported();
  if (![128, 192, 256].includes(wanted.length)) throw operation();
  return key("secret", { name, length: wanted.length }, extractable, list, host.randomBytes(wanted.length / 8));
}

function sign(algorithm, cryptoKey, message) {
  const wanted = normalised(algorithm);
  const content = contentOf(cryptoKey, wanted.name, "sign");
  const bytes = bytesOf(message);
  if (wanted.name === "HMAC") return digestOf(cryptoKey.algorithm.hash.name, bytes, content).buffer;
  if (wanted.name === "ECDSA") checkDigest(cryptoKey, webHash(wanted.hash));
  const signed = wanted.name === "Ed25519" ? bytes : digestOf(webHash(wanted.hash), bytes);
  const signature = host.curveSign(curveOf(cryptoKey.algorithm), content.secret, signed);
  if (signature == null) throw operation();
  return signature.buffer;
}

function verify(algorithm, cryptoKey, signature, message) {
  const wanted = normalised(algorithm);
  const content = contentOf(cryptoKey, wanted.name, "verify");
  const [given, bytes] = [bytesOf(signature), bytesOf(message)];
  if (wanted.name === "HMAC") {
    const expected = digestOf(cryptoKey.algorithm.hash.name, bytes, content);
    if (expected.length !== given.length) return false;
    // As long for a wrong first byte as for a wrong last one.
    let difference = 0;
    for (let index = 0; index < expected.length; index += 1) difference |= expected[index] ^ given[index];
    return difference === 0;
  }
  if (wanted.name === "ECDSA") checkDigest(cryptoKey, webHash(wanted.hash));
  const signed = wanted.name === "Ed25519" ? bytes : digestOf(webHash(wanted.hash), bytes);
  return host.curveVerify(curveOf(cryptoKey.algorithm), content.point, signed, given);
}

function deriveKey(algorithm, cryptoKey, wanted, extractable, usages) {
  const { name, length, hash } = normalised(wanted);
  const bits = name === "HMAC" ? (length ?? HASHES[WEB_HASHES[webHash(hash)]][1] * 8) : (length ?? null);
  return importKey("raw", derive(normalised(algorithm), cryptoKey, bits, "deriveKey"), wanted, extractable, usages);
}

function crypt(encrypts, usage) {
  return (algorithm, cryptoKey, bytes) => {
    const wanted = normalised(algorithm);
    if (!Object.hasOwn(AES_MODES, wanted.name)) throw unsupported();
    return cipher(encrypts, wanted, contentOf(cryptoKey, wanted.name, usage), bytesOf(bytes));
  };
}

function wrapKey(format, cryptoKey, wrapping, algorithm) {
  const exported = exportKey(format, cryptoKey);
  const bytes = format === "jwk" ? new TextEncoder().encode(JSON.stringify(exported)) : exported;
  return crypt(true, "wrapKey")(algorithm, wrapping, bytes);
}

function unwrapKey(format, wrapped, unwrapping, algorithm, keyAlgorithm, extractable, usages) {
  const bytes = crypt(false, "unwrapKey")(algorithm, unwrapping, wrapped);
  const exported = format === "jwk" ? JSON.parse(new TextDecoder().decode(bytes)) : bytes;
  return importKey(format, exported, keyAlgorithm, extractable, usages);
}

function digest(algorithm, message) {
  const { name } = normalised(algorithm);
  if (!Object.hasOwn(WEB_HASHES, name)) throw unsupported();
  return digestOf(name, bytesOf(message)).buffer;
}

class SubtleCrypto {}
const methods = {
  digest,
  importKey,
  exportKey,
  generateKey,
  sign,
  verify,
  encrypt: crypt(true, "encrypt"),
  decrypt: crypt(false, "decrypt"),
  deriveBits: (algorithm, cryptoKey, length) => derive(normalised(algorithm), cryptoKey, length, "deriveBits"),
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
