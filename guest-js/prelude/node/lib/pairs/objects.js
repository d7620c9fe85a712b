// `KeyObject`s of pairs, and reading them. `{ curve, secret, point }` is a pair on a curve, `{ key, isPrivate }` one of
// RSA.

import { Buffer, host } from "isolette:prelude";

import { coded, invalidType, invalidValue } from "../errors.js";
import { fromPem, toPem } from "./pem.js";
import { SIZES, isShort, pointFromJwk, pointToJwk, publicPoint, readPoint, writePoint } from "./points.js";
import { SIZE_HINT, publicRsa, readRsa, rsaDetails, rsaFromJwk, rsaToJwk, writeRsa } from "./rsa.js";

const { KeyObject } = host.loadModule("crypto");

// OpenSSL's names of curves.
const OPENSSL = { "P-256": "prime256v1", "P-384": "secp384r1", "P-521": "secp521r1" };
export const curveNamed = (name) => Object.keys(OPENSSL).find((curve) => curve === name || OPENSSL[curve] === name);

const unreadable = (hint = "") => coded(Error, "ERR_OSSL_UNSUPPORTED", `error:1E08010C:DECODER routines::unsupported${hint}`);
const incompatible = (type, kind) =>
  coded(Error, "ERR_CRYPTO_INCOMPATIBLE_KEY_OPTIONS", `The selected key encoding ${type} can only be used for ${kind} keys.`);
const wrongType = (type, expected) =>
  coded(TypeError, "ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE", `Invalid key object type ${type}, expected ${expected}.`);

const isPrivate = (pair) => pair.isPrivate ?? pair.secret !== undefined;
export const typeOf = (pair) => pair.curve === undefined ? "rsa" : isShort(pair.curve) ? pair.curve.toLowerCase() : "ec";
export const publicOf = (pair) => (pair.curve === undefined ? publicRsa(pair) : publicPoint(pair));

const pairs = new WeakMap();

class PairObject extends KeyObject {
  constructor(pair) {
    super();
    pairs.set(this, pair);
  }
  get type() {
    return isPrivate(pairs.get(this)) ? "private" : "public";
  }
  get asymmetricKeyType() {
    return typeOf(pairs.get(this));
  }
  get asymmetricKeyDetails() {
    const pair = pairs.get(this);
    if (pair.curve !== undefined) return isShort(pair.curve) ? {} : { namedCurve: OPENSSL[pair.curve] };
    const { modulusLength, publicExponent } = rsaDetails(pair);
    return { modulusLength, publicExponent: BigInt(`0x${Buffer.from(publicExponent).toString("hex")}`) };
  }
  export(options) {
    if (typeof options !== "object" || options === null) throw invalidType("options", "object", options);
    const pair = pairs.get(this);
    const { format, type } = options;
    if (format === "jwk") return pair.curve === undefined ? rsaToJwk(pair) : pointToJwk(pair);
    if (format !== "pem" && format !== "der") throw invalidValue("options.format", format);
    const types = isPrivate(pair) ? ["pkcs8", "pkcs1", "sec1"] : ["spki", "pkcs1"];
    if (!types.includes(type)) throw invalidValue("options.type", type);
    if (type === "pkcs1" && pair.curve !== undefined) throw incompatible(type, "RSA");
    if (type === "sec1" && typeOf(pair) !== "ec") throw incompatible(type, "EC");
    if (options.cipher != null) throw new Error("Keys cannot be encrypted in the sandbox\nhint: export without cipher and passphrase");
    const written = type === "pkcs1" ? `pkcs1-${this.type}` : type;
    const der = Buffer.from(pair.curve === undefined ? writeRsa(pair, written) : writePoint(pair, written));
    return format === "pem" ? toPem(written, der) : der;
  }
  equals(other) {
    if (!(other instanceof KeyObject)) throw invalidType("otherKeyObject", "an instance of KeyObject", other);
    if (other.type !== this.type) return false;
    const form = { format: "der", type: this.type === "private" ? "pkcs8" : "spki" };
    return this.export(form).equals(other.export(form));
  }
}
class PublicKeyObject extends PairObject {}
class PrivateKeyObject extends PairObject {}

export const objectOf = (pair) => (isPrivate(pair) ? new PrivateKeyObject(pair) : new PublicKeyObject(pair));

function readDer(format, der) {
  const rsa = format === "sec1" ? undefined : readRsa(format, der);
  if (rsa?.refused !== undefined) throw unreadable(`\nAn RSA key has ${rsa.refused} bits${SIZE_HINT}`);
  if (rsa !== undefined) return rsa;
  const curves = format === "sec1" ? Object.keys(OPENSSL) : format.startsWith("pkcs1") ? [] : Object.keys(SIZES);
  for (const curve of curves) {
    const pair = readPoint(curve, format, der);
    if (pair !== undefined) return pair;
  }
  throw unreadable("\nhint: keys are RSA, P-256, P-384, P-521, Ed25519 or X25519 here");
}

function readJwk(jwk, wantsPrivate) {
  if (typeof jwk !== "object" || jwk === null) throw invalidType("key.key", "object", jwk);
  const { kty, crv } = jwk;
  if (!["RSA", "EC", "OKP"].includes(kty)) throw invalidValue("key.kty", kty, "must be one of: 'RSA', 'EC', 'OKP'");
  const known = kty === "RSA" || (Object.hasOwn(SIZES, crv) && isShort(crv) === (kty === "OKP"));
  if (!known) throw invalidValue("key.crv", crv, "is no curve that there is here");
  const needed = { RSA: ["n", "e"], EC: ["x", "y"], OKP: ["x"] }[kty];
  if (wantsPrivate) needed.push(...(kty === "RSA" ? ["d", "p", "q", "dp", "dq", "qi"] : ["d"]));
  for (const name of needed) if (typeof jwk[name] !== "string") throw invalidType(`key.${name}`, "string", jwk[name]);
  const wanted = wantsPrivate ? jwk : { ...jwk, d: undefined };
  const pair = kty === "RSA" ? rsaFromJwk(wanted) : pointFromJwk(crv, wanted);
  if (pair?.refused !== undefined) throw unreadable(`\nAn RSA key has ${pair.refused} bits${SIZE_HINT}`);
  if (pair === undefined) throw coded(TypeError, "ERR_CRYPTO_INVALID_JWK", kty === "EC" ? "Invalid JWK EC key" : "Invalid JWK data");
  return pair;
}

const bytesOf = (data) => {
  if (typeof data === "string") return Buffer.from(data);
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  throw invalidType("key", "of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, or KeyObject", data);
};

function readBytes({ key, format = "pem", type, encoding }, wantsPrivate) {
  if (format === "jwk") return readJwk(key, wantsPrivate);
  const bytes = typeof key === "string" && encoding !== undefined ? Buffer.from(key, encoding) : bytesOf(key);
  if (format === "pem") {
    const text = bytes.toString("latin1");
    const found = fromPem(text);
    if (found !== undefined) return readDer(found.format, found.der);
    const isEncrypted = /ENCRYPTED/.test(text);
    throw unreadable(isEncrypted ? "\nhint: keys that are encrypted with a passphrase cannot be read in the sandbox" : "");
  }
  if (format !== "der") throw invalidValue("options.format", format);
  if (!["pkcs1", "pkcs8", "spki", "sec1"].includes(type)) throw invalidValue("options.type", type);
  if (type !== "pkcs1") return readDer(type, bytes);
  return (wantsPrivate ? undefined : readRsa("pkcs1-public", bytes)) ?? readDer("pkcs1-private", bytes);
}

// The pair of an argument: a private key if one is required, otherwise either.
export function pairOf(given, wantsPrivate) {
  const key = given instanceof KeyObject || given?.key === undefined ? given : given.key;
  if (key instanceof KeyObject) {
    if (key.type === "secret") throw wrongType(key.type, wantsPrivate ? "private" : "private or public");
    if (wantsPrivate && key.type !== "private") throw wrongType(key.type, "private");
    return pairs.get(key);
  }
  const pair = readBytes(key === given ? { key } : given, wantsPrivate);
  if (wantsPrivate && !isPrivate(pair)) throw unreadable();
  return pair;
}

export function createPrivateKey(key) {
  if (key instanceof KeyObject) throw invalidType("key", "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView", key);
  return objectOf(pairOf(key, true));
}

export function createPublicKey(key) {
  if (key instanceof KeyObject && key.type !== "private") throw wrongType(key.type, "private");
  return objectOf(publicOf(pairOf(key, false)));
}
