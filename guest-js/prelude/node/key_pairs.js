// The functions of Node's `crypto` for pairs of keys.

import { Buffer, host } from "isolette:prelude";

import { checkFunction, checkString, coded, invalidType, invalidValue } from "./lib/errors.js";
import { hashName } from "./lib/hashes.js";
import { createPrivateKey, createPublicKey, curveNamed, objectOf, pairOf, publicOf, typeOf } from "./lib/pairs/objects.js";
import { generatePoint } from "./lib/pairs/points.js";
import { SIZE_HINT, generateRsa } from "./lib/pairs/rsa.js";
import { Sign, Verify, sign, verify } from "./lib/pairs/signatures.js";

const notForThat = () =>
  coded(Error, "ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE", "error:03000096:digital envelope routines::operation not supported for this keytype");

function newRsa({ modulusLength, publicExponent = 0x10001 }) {
  if (typeof modulusLength !== "number") throw invalidType("options.modulusLength", "number", modulusLength);
  if (typeof publicExponent !== "number") throw invalidType("options.publicExponent", "number", publicExponent);
  if (!(publicExponent > 2 && publicExponent <= 0xffffffff && publicExponent % 2 === 1)) {
    throw new Error("error:020000B2:rsa routines::pub exponent out of range");
  }
  const pair = generateRsa(modulusLength, publicExponent);
  if (pair !== undefined) return pair;
  throw new Error(modulusLength < 512 ? "error:1C8000AB:Provider routines::key size too small" : `There are no RSA keys of ${modulusLength} bits here${SIZE_HINT}`);
}

function newCurve({ namedCurve }) {
  checkString(namedCurve, "options.namedCurve");
  const curve = curveNamed(namedCurve);
  if (curve === undefined) throw coded(TypeError, "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name\nhint: P-256, P-384 and P-521 are here");
  return generatePoint(curve);
}

const MAKERS = {
  rsa: newRsa,
  ec: newCurve,
  ed25519: () => generatePoint("Ed25519"),
  x25519: () => generatePoint("X25519"),
};

function generateKeyPairSync(type, options) {
  checkString(type, "type");
  if (!Object.hasOwn(MAKERS, type)) throw invalidValue("type", type, "must be a supported key type");
  const needsOptions = type === "rsa" || type === "ec";
  if ((needsOptions && options === undefined) || (options !== undefined && (typeof options !== "object" || options === null))) {
    throw invalidType("options", "object", options);
  }
  const pair = MAKERS[type](options ?? {});
  const written = (half, encoding) => (encoding === undefined ? objectOf(half) : objectOf(half).export(encoding));
  const publicKey = written(publicOf(pair), options?.publicKeyEncoding);
  return { publicKey, privateKey: written(pair, options?.privateKeyEncoding) };
}

function generateKeyPair(type, options, callback) {
  if (typeof options === "function") [options, callback] = [undefined, options];
  checkFunction(callback, "callback");
  const { publicKey, privateKey } = generateKeyPairSync(type, options);
  setImmediate(() => callback(null, publicKey, privateKey));
}

const OAEP = 4;

// The bytes of a message, and its padding.
function encryption(key, data, wantsPrivate) {
  if (!ArrayBuffer.isView(data) && typeof data !== "string") {
    throw invalidType("buffer", "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView", data);
  }
  const pair = pairOf(key, wantsPrivate);
  if (typeOf(pair) !== "rsa") throw notForThat();
  const { padding = OAEP, oaepHash = "sha1", oaepLabel = Buffer.alloc(0) } = key;
  if (padding !== OAEP) throw new Error("RSA encryption is padded by OAEP here\nhint: leave padding out");
  const hash = hashName(oaepHash);
  if (!["sha1", "sha256", "sha384", "sha512"].includes(hash)) throw coded(Error, "ERR_OSSL_EVP_INVALID_DIGEST", "Invalid digest");
  return [pair.key, hash, Buffer.from(data), Buffer.from(oaepLabel)];
}

function publicEncrypt(key, data) {
  const content = host.rsaEncrypt(...encryption(key, data, false));
  if (content != null) return Buffer.from(content);
  throw coded(Error, "ERR_OSSL_RSA_DATA_TOO_LARGE_FOR_KEY_SIZE", "error:0200006E:rsa routines::data too large for key size");
}

function privateDecrypt(key, data) {
  const content = host.rsaDecrypt(...encryption(key, data, true));
  if (content != null) return Buffer.from(content);
  throw coded(Error, "ERR_OSSL_RSA_OAEP_DECODING_ERROR", "error:02000079:rsa routines::oaep decoding error");
}

function diffieHellman(options) {
  if (typeof options !== "object" || options === null) throw invalidType("options", "object", options);
  const [own, other] = [pairOf(options.privateKey, true), pairOf(options.publicKey, false)];
  const [one, two] = [own, other].map(typeOf);
  if (one !== two) throw coded(Error, "ERR_CRYPTO_INCOMPATIBLE_KEY", `Incompatible key types for Diffie-Hellman: ${one} and ${two}`);
  const secret = own.curve === undefined || own.curve !== other.curve ? undefined : host.curveDerive(own.curve, own.secret, other.point);
  if (secret == null) throw new Error("error:1C8000E4:Provider routines::failed during derivation");
  return Buffer.from(secret);
}

// A function that calls a callback if it gets one argument more than it needs.
const maybeCalling = (method) => {
  const calling = (...args) => {
    const callback = args[method.length];
    if (callback === undefined) return method(...args);
    checkFunction(callback, "callback");
    const outcome = method(...args);
    setImmediate(() => callback(null, outcome));
    return undefined;
  };
  return calling;
};

export default {
  createPrivateKey,
  createPublicKey,
  createSign: (algorithm) => new Sign(algorithm),
  createVerify: (algorithm) => new Verify(algorithm),
  diffieHellman,
  generateKeyPair,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  sign: maybeCalling(sign),
  verify: maybeCalling(verify),
};
