// `sign` and `verify`, and the objects that messages are written into.

import { Buffer, EventEmitter, host } from "isolette:prelude";

import { checkString, coded, invalidType, invalidValue } from "../errors.js";
import { HASHES, hashName } from "../hashes.js";
import { fromDer, toDer } from "./der_signatures.js";
import { pairOf, typeOf } from "./objects.js";
import { SIZES } from "./points.js";
import { rsaDetails } from "./rsa.js";

const PSS = 6;
const SALT_AS_DIGEST = -1;
const SALT_AUTO = -2;
const RSA_HASHES = ["sha1", "sha256", "sha384", "sha512"];

const keyRequired = () => coded(Error, "ERR_CRYPTO_SIGN_KEY_REQUIRED", "No key provided to sign");
const notForThat = () =>
  coded(Error, "ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE", "error:03000096:digital envelope routines::operation not supported for this keytype");

function wholeNumber(options, name) {
  const value = options[name];
  if (value !== undefined && value !== value >> 0) throw invalidValue(`options.${name}`, value);
  return value;
}

// The padding of RSA: whether it is PSS, and the length of the salt. The salt length of a signature is detected.
function rsaOptions(pair, hash, options, verifies) {
  if (!RSA_HASHES.includes(hash)) throw new Error(`RSA signs no digests of ${hash} here\nhint: use SHA-256, SHA-384 or SHA-512`);
  const padding = wholeNumber(options, "padding") ?? 1;
  const salt = wholeNumber(options, "saltLength") ?? SALT_AUTO;
  if (padding === 1) return [false, undefined];
  if (padding !== PSS) throw new Error("RSA signatures are padded by PKCS #1 or PSS here\nhint: leave padding out, or use crypto.constants.RSA_PKCS1_PSS_PADDING");
  const [length] = HASHES[hash];
  if (salt === SALT_AS_DIGEST) return [true, length];
  if (salt !== SALT_AUTO) return [true, salt];
  return [true, verifies ? undefined : Math.max(0, Math.ceil((rsaDetails(pair).modulusLength - 1) / 8) - length - 2)];
}

function usesDer({ dsaEncoding = "der" }) {
  if (dsaEncoding !== "der" && dsaEncoding !== "ieee-p1363") throw invalidValue("options.dsaEncoding", dsaEncoding);
  return dsaEncoding === "der";
}

function signDigest(pair, hash, digest, options) {
  if (pair.curve !== undefined) {
    const signature = host.curveSign(pair.curve, pair.secret, digest);
    return usesDer(options) ? toDer(signature) : Buffer.from(signature);
  }
  const [, salt] = rsaOptions(pair, hash, options, false);
  const signature = salt < 0 ? undefined : host.rsaSign(pair.key, hash, digest, salt);
  if (signature == null) throw coded(Error, "ERR_OSSL_RSA_DATA_TOO_LARGE_FOR_KEY_SIZE", "error:0200006E:rsa routines::data too large for key size");
  return Buffer.from(signature);
}

function verifyDigest(pair, hash, digest, signature, options) {
  if (pair.curve !== undefined) {
    const numbers = usesDer(options) ? fromDer(signature, SIZES[pair.curve]) : signature;
    return numbers !== undefined && host.curveVerify(pair.curve, pair.point, digest, numbers);
  }
  const [isPss, salt] = rsaOptions(pair, hash, options, true);
  return !(salt < 0) && host.rsaVerify(pair.key, hash, digest, signature, isPss, salt);
}

function bytesOf(data, name, encoding) {
  if (typeof data === "string") return Buffer.from(data, encoding);
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  throw invalidType(name, "of type string or an instance of Buffer, TypedArray, or DataView", data);
}

function digestOf(hash, bytes) {
  const running = host.digest(hash, undefined);
  host.digestUpdate(running, bytes);
  return host.digestFinish(running, HASHES[hash][0]);
}

function hashOf(algorithm) {
  if (algorithm === null || algorithm === undefined) return "sha256";
  checkString(algorithm, "algorithm");
  const hash = hashName(algorithm);
  if (hash === undefined) throw coded(TypeError, "ERR_CRYPTO_INVALID_DIGEST", `Invalid digest: ${algorithm}`);
  return hash;
}

// Ed25519 signs the message, other algorithms a digest.
function checkWhole(pair, algorithm) {
  if (pair.curve === "X25519") throw notForThat();
  if (pair.curve !== "Ed25519") return false;
  if (algorithm !== null && algorithm !== undefined) throw coded(Error, "ERR_OSSL_INVALID_DIGEST", "error:1C80007A:Provider routines::invalid digest");
  return true;
}

export function sign(algorithm, data, key) {
  const hash = hashOf(algorithm);
  const bytes = bytesOf(data, "data");
  if (!key) throw keyRequired();
  const pair = pairOf(key, true);
  if (checkWhole(pair, algorithm)) return Buffer.from(host.curveSign(pair.curve, pair.secret, bytes));
  return signDigest(pair, hash, digestOf(hash, bytes), key);
}

export function verify(algorithm, data, key, signature) {
  const hash = hashOf(algorithm);
  const bytes = bytesOf(data, "data");
  if (!ArrayBuffer.isView(signature)) throw invalidType("signature", "an instance of Buffer, TypedArray, or DataView", signature);
  const pair = pairOf(key, false);
  const given = bytesOf(signature, "signature");
  if (checkWhole(pair, algorithm)) return host.curveVerify(pair.curve, pair.point, bytes, given);
  return verifyDigest(pair, hash, digestOf(hash, bytes), given, key);
}

// A message that is written in parts. Streams can be piped into it.
class Message extends EventEmitter {
  #hash;
  #running;
  writable = true;

  constructor(algorithm) {
    super();
    checkString(algorithm, "algorithm");
    this.#hash = hashName(algorithm);
    if (this.#hash === undefined) throw coded(TypeError, "ERR_CRYPTO_INVALID_DIGEST", "Invalid digest");
    this.#running = host.digest(this.#hash, undefined);
    for (const key of Object.keys(this)) Object.defineProperty(this, key, { enumerable: false });
  }
  update(data, encoding) {
    const bytes = bytesOf(data, "data", encoding);
    if (this.#running === undefined) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Not initialised");
    host.digestUpdate(this.#running, bytes);
    return this;
  }
  write(piece, encoding, callback) {
    this.update(piece, typeof encoding === "string" ? encoding : undefined);
    const done = typeof encoding === "function" ? encoding : callback;
    if (done !== undefined) process.nextTick(done);
    return true;
  }
  end(piece, encoding) {
    if (piece !== undefined && typeof piece !== "function") this.write(piece, encoding);
    process.nextTick(() => {
      this.emit("finish");
      this.emit("close");
    });
    return this;
  }
  // The hash and the digest, for a pair that signs digests.
  static finish(message, pair) {
    const running = message.#running;
    if (running === undefined) throw coded(Error, "ERR_CRYPTO_INVALID_STATE", "Not initialised");
    message.#running = undefined;
    if (typeOf(pair) !== "rsa" && typeOf(pair) !== "ec") {
      throw coded(Error, "ERR_CRYPTO_UNSUPPORTED_OPERATION", "Unsupported crypto operation");
    }
    return [message.#hash, host.digestFinish(running, HASHES[message.#hash][0])];
  }
}
const { finish } = Message;
delete Message.finish;

export class Sign extends Message {
  sign(key, encoding) {
    if (!key) throw keyRequired();
    const pair = pairOf(key, true);
    const signature = signDigest(pair, ...finish(this, pair), key);
    return encoding && encoding !== "buffer" ? signature.toString(encoding) : signature;
  }
}

export class Verify extends Message {
  verify(key, signature, encoding) {
    const pair = pairOf(key, false);
    return verifyDigest(pair, ...finish(this, pair), bytesOf(signature, "signature", encoding), key);
  }
}
