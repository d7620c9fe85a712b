// `crypto` of Node.

import { Buffer, EventEmitter, host } from "isolette:prelude";

import { createCipheriv, createDecipheriv, getCiphers } from "./lib/ciphers.js";
import { checkFunction, checkString, coded, invalidType, outOfRange } from "./lib/errors.js";
import { HASHES, hashName } from "./lib/hashes.js";

import { webcrypto } from "isolette:prelude";

const bufferOf = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

// The bytes of any value that can be hashed, or be a key.
function bytesOf(data, name, encoding = "utf8") {
  if (typeof data === "string") return Buffer.from(data, encoding === "buffer" ? "utf8" : encoding);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (data instanceof SecretKeyObject) return data.export();
  if (data instanceof KeyObject) throw coded(TypeError, "ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE", `Invalid key object type ${data.type}, expected secret.`);
  throw invalidType(name, "of type string or an instance of Buffer, TypedArray, or DataView", data);
}

const encoded = (bytes, encoding) =>
  encoding === undefined || encoding === null || encoding === "buffer" ? bufferOf(bytes) : bufferOf(bytes).toString(encoding);

const unsupported = () => coded(Error, "ERR_OSSL_EVP_UNSUPPORTED", "error:0308010C:digital envelope routines::unsupported");
const invalidDigest = (name) => coded(TypeError, "ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${name}`);

function checkedHash(name) {
  checkString(name, "digest");
  const known = hashName(name);
  if (known === undefined) throw invalidDigest(name);
  return known;
}

const finished = Symbol("finished");

// The common part of hashes and HMACs. Streams can be piped into both.
class Running extends EventEmitter {
  #running;
  #length;
  #result;
  #encoding;
  writable = true;

  constructor(running, length) {
    super();
    this.#running = running;
    this.#length = length;
    for (const key of Object.keys(this)) Object.defineProperty(this, key, { enumerable: false });
  }
  static state(running) {
    return [running.#running, running.#length];
  }
  get [finished]() {
    return this.#running === undefined;
  }
  update(data, encoding) {
    const bytes = bytesOf(data, "data", encoding);
    if (this[finished]) throw coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    host.digestUpdate(this.#running, bytes);
    return this;
  }
  digest(encoding) {
    const running = this.#running;
    this.#running = undefined;
    return encoded(host.digestFinish(running, this.#length), encoding);
  }
  write(piece, encoding, callback) {
    this.update(piece, typeof encoding === "string" ? encoding : undefined);
    const done = typeof encoding === "function" ? encoding : callback;
    if (done !== undefined) process.nextTick(done);
    return true;
  }
  end(piece, encoding) {
    if (piece !== undefined && typeof piece !== "function") this.write(piece, encoding);
    this.#result = this.digest(this.#encoding);
    process.nextTick(() => {
      this.emit("finish");
      this.emit("readable");
      this.emit("data", this.#result);
      this.emit("end");
      this.emit("close");
    });
    return this;
  }
  read() {
    const result = this.#result;
    this.#result = undefined;
    return result ?? null;
  }
  setEncoding(encoding) {
    this.#encoding = encoding;
    return this;
  }
}
const { state } = Running;
delete Running.state;

class Hash extends Running {
  copy() {
    const [running, length] = state(this);
    if (running === undefined) throw coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    return new Hash(host.digestCopy(running), length);
  }
  digest(encoding) {
    if (this[finished]) throw coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    return super.digest(encoding);
  }
}

class Hmac extends Running {
  digest(encoding) {
    if (this[finished]) return encoded(Buffer.alloc(0), encoding);
    return super.digest(encoding);
  }
}

function createHash(algorithm, options) {
  checkString(algorithm, "algorithm");
  const name = hashName(algorithm);
  if (name === undefined) throw new Error("Digest method not supported");
  const [usual] = HASHES[name];
  const length = options?.outputLength ?? usual;
  if (length !== usual && !name.startsWith("shake")) throw unsupported();
  return new Hash(host.digest(name, undefined), length);
}

function createHmac(algorithm, key) {
  checkString(algorithm, "hmac");
  if (key === undefined || key === null) throw invalidType("key", "of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or CryptoKey", key);
  const name = hashName(algorithm);
  if (name === undefined || name.startsWith("shake")) throw coded(Error, "ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${algorithm}`);
  return new Hmac(host.digest(name, bytesOf(key, "key")), HASHES[name][0]);
}

// A secret key; `lib/pairs/objects.js` has those of pairs.
class KeyObject {
  get [Symbol.toStringTag]() {
    return "KeyObject";
  }
}

class SecretKeyObject extends KeyObject {
  #bytes;
  constructor(bytes) {
    super();
    this.#bytes = bytes;
  }
  get type() {
    return "secret";
  }
  get symmetricKeySize() {
    return this.#bytes.length;
  }
  export(options) {
    if (options?.format === "jwk") return { kty: "oct", k: bufferOf(this.#bytes).toString("base64url") };
    return Buffer.from(this.#bytes);
  }
  equals(other) {
    return other instanceof SecretKeyObject && this.export().equals(other.export());
  }
}

// Makes a function with a callback of one without.
const withCallback =
  (method) =>
  (...args) => {
    const callback = args.pop();
    checkFunction(callback, "callback");
    const outcome = method(...args);
    setImmediate(() => callback(null, outcome));
  };

function checkLength(value, name, most = 0x7fffffff) {
  if (typeof value !== "number") throw invalidType(name, "number", value);
  if (!Number.isInteger(value)) throw outOfRange(name, "an integer", value);
  if (value < 0 || value > most) throw outOfRange(name, `>= 0 && <= ${most}`, value);
}

function randomBytes(size, callback) {
  checkLength(size, "size");
  const bytes = bufferOf(host.randomBytes(size));
  if (callback === undefined) return bytes;
  checkFunction(callback, "callback");
  setImmediate(() => callback(null, bytes));
}

function randomFillSync(target, offset = 0, size = target.byteLength - offset) {
  const bytes = bytesOf(target, "buf");
  bytes.subarray(offset, offset + size).set(host.randomBytes(size));
  return target;
}

// Every number has the same probability.
function randomInt(low, high, callback) {
  if (high === undefined || typeof high === "function") [low, high, callback] = [0, low, high];
  if (!Number.isSafeInteger(low)) throw invalidType("min", "a safe integer", low);
  if (!Number.isSafeInteger(high)) throw invalidType("max", "a safe integer", high);
  if (high <= low) throw outOfRange("max", `greater than the value of "min" (${low})`, high);
  const range = high - low;
  if (range > 0xffffffffffff) throw outOfRange("max - min", `<= ${0xffffffffffff}`, range);
  const limit = 0x1000000000000 - (0x1000000000000 % range);
  let drawn;
  do drawn = bufferOf(host.randomBytes(6)).readUIntBE(0, 6);
  while (drawn >= limit);
  const number = low + (drawn % range);
  if (callback === undefined) return number;
  process.nextTick(callback, undefined, number);
}

function pbkdf2Sync(password, salt, iterations, length, digest) {
  const name = checkedHash(digest);
  if (typeof iterations !== "number") throw invalidType("iterations", "number", iterations);
  if (!(iterations >= 1 && iterations <= 0x7fffffff)) throw outOfRange("iterations", ">= 1 && <= 2147483647", iterations);
  checkLength(length, "keylen");
  if (length === 0) return Buffer.alloc(0);
  const bytes = host.deriveBits(name, bytesOf(password, "password"), bytesOf(salt, "salt"), Buffer.alloc(0), iterations, length);
  if (bytes == null) throw invalidDigest(digest);
  return bufferOf(bytes);
}

function scryptSync(password, salt, length, options = {}) {
  const [secret, grain] = [bytesOf(password, "password"), bytesOf(salt, "salt")];
  checkLength(length, "keylen");
  const cost = options?.N ?? options?.cost ?? 16384;
  const block = options?.r ?? options?.blockSize ?? 8;
  const parallel = options?.p ?? options?.parallelization ?? 1;
  const most = options?.maxmem ?? 32 * 1024 * 1024;
  const exponent = Math.log2(cost);
  if (!(cost > 1) || !Number.isInteger(exponent)) throw coded(RangeError, "ERR_CRYPTO_INVALID_SCRYPT_PARAMS", "Invalid scrypt params");
  // The memory that OpenSSL needs: the table, two working blocks, and the output of the parts.
  if (128 * block * (cost + 2 + parallel) > most) {
    throw coded(
      RangeError,
      "ERR_CRYPTO_INVALID_SCRYPT_PARAMS",
      "Invalid scrypt params: error:030000AC:digital envelope routines::memory limit exceeded",
    );
  }
  if (length === 0) return Buffer.alloc(0);
  const bytes = host.scrypt(secret, grain, exponent, block, parallel, length);
  if (bytes == null) throw coded(RangeError, "ERR_CRYPTO_INVALID_SCRYPT_PARAMS", "Invalid scrypt params");
  return bufferOf(bytes);
}

function hkdfSync(digest, key, salt, info, length) {
  const name = checkedHash(digest);
  checkLength(length, "length");
  const bytes = host.deriveBits(name, bytesOf(key, "ikm"), bytesOf(salt, "salt"), bytesOf(info, "info"), 0, length);
  if (bytes == null) throw coded(RangeError, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
  return bytes.buffer;
}

function timingSafeEqual(left, right) {
  const [one, other] = [bytesOf(left, "buf1"), bytesOf(right, "buf2")];
  if (typeof left === "string") throw invalidType("buf1", "an instance of ArrayBuffer, Buffer, TypedArray, or DataView", left);
  if (typeof right === "string") throw invalidType("buf2", "an instance of ArrayBuffer, Buffer, TypedArray, or DataView", right);
  if (one.length !== other.length) {
    throw coded(RangeError, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", "Input buffers must have the same byte length");
  }
  let difference = 0;
  for (let index = 0; index < one.length; index += 1) difference |= one[index] ^ other[index];
  return difference === 0;
}

const crypto = {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey: (key, encoding) => new SecretKeyObject(Uint8Array.from(bytesOf(key, "key", encoding))),
  getCiphers,
  getHashes: () => Object.keys(HASHES),
  getRandomValues: (array) => webcrypto.getRandomValues(array),
  hash: (algorithm, data, encoding = "hex") => createHash(algorithm).update(data).digest(encoding),
  hkdf: withCallback(hkdfSync),
  hkdfSync,
  Hash,
  Hmac,
  KeyObject,
  pbkdf2: withCallback(pbkdf2Sync),
  pbkdf2Sync,
  pseudoRandomBytes: randomBytes,
  randomBytes,
  randomFill: withCallback(randomFillSync),
  randomFillSync,
  randomInt,
  randomUUID: () => webcrypto.randomUUID(),
  scrypt: withCallback(scryptSync),
  scryptSync,
  timingSafeEqual,
  constants: {
    RSA_PKCS1_PADDING: 1,
    RSA_NO_PADDING: 3,
    RSA_PKCS1_OAEP_PADDING: 4,
    RSA_X931_PADDING: 5,
    RSA_PKCS1_PSS_PADDING: 6,
    RSA_PSS_SALTLEN_DIGEST: -1,
    RSA_PSS_SALTLEN_MAX_SIGN: -2,
    RSA_PSS_SALTLEN_AUTO: -2,
  },
  webcrypto,
};
Object.defineProperty(crypto, "subtle", { get: () => webcrypto.subtle, enumerable: true, configurable: true });

// Functions for pairs of keys are loaded when one of these is called.
let pairs;
for (const name of [
  "createPrivateKey",
  "createPublicKey",
  "createSign",
  "createVerify",
  "diffieHellman",
  "generateKeyPair",
  "generateKeyPairSync",
  "privateDecrypt",
  "publicEncrypt",
  "sign",
  "verify",
]) {
  const call = (...args) => {
    pairs ??= host.loadModule("key_pairs");
    return pairs[name](...args);
  };
  crypto[name] = Object.defineProperty(call, "name", { value: name, configurable: true });
}
const generateBoth = async (type, options) => crypto.generateKeyPairSync(type, options);
Object.defineProperty(crypto.generateKeyPair, Symbol.for("nodejs.util.promisify.custom"), { value: generateBoth });

for (const name of ["createDiffieHellman", "createECDH", "privateEncrypt", "publicDecrypt", "X509Certificate"]) {
  const refuse = () => {
    throw new Error(`crypto.${name} does not exist in the sandbox\nhint: crypto.sign, crypto.publicEncrypt and crypto.diffieHellman do, and crypto.subtle`);
  };
  Object.defineProperty(crypto, name, { value: refuse, writable: true, configurable: true, enumerable: false });
}

export default crypto;
