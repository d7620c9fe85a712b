// Curves: ECDSA and ECDH on P-256, P-384 and P-521, Ed25519 and X25519.

import { host } from "isolette:prelude";

import { SIZES, generatePoint, isShort, pointFromJwk, pointToJwk, publicPoint, readPoint, writePoint } from "../pairs/points.js";
import { USAGES, access, data, failure, operation, unsupported, usagesOfHalf, webHash } from "./algorithms.js";
import { CryptoKey, checkJwk, checkUsages, contentOf, key } from "./keys.js";
import { hash } from "./secrets.js";

const CURVE_OF_ALGORITHM = { ES256: "P-256", ES384: "P-384", ES512: "P-521" };

function curveOf({ name, namedCurve }) {
  if (isShort(name)) return name;
  if (!Object.hasOwn(SIZES, namedCurve) || isShort(namedCurve)) throw unsupported("Unrecognized namedCurve");
  return namedCurve;
}

const described = (name, curve) => (isShort(name) ? { name } : { name, namedCurve: curve });

function fromJwk(jwk, { name }, curve, extractable, usages) {
  checkJwk(jwk, isShort(curve) ? "OKP" : "EC", name === "ECDH" || name === "X25519" ? "enc" : "sig", extractable, usages);
  if (jwk.crv !== curve) {
    throw data(isShort(curve) ? 'JWK "crv" Parameter and algorithm name mismatch' : 'JWK "crv" does not match the requested algorithm');
  }
  const { alg } = jwk;
  const fits = alg === undefined || (name === "ECDSA" ? CURVE_OF_ALGORITHM[alg] === curve : name !== "Ed25519" || alg === name || alg === "EdDSA");
  if (!fits) throw data('JWK "alg" does not match the requested algorithm');
  return pointFromJwk(curve, jwk);
}

function importKey(format, keyData, algorithm, extractable, usages) {
  const { name } = algorithm;
  const curve = curveOf(algorithm);
  const isPrivate = format === "pkcs8" || (format === "jwk" && keyData?.d !== undefined);
  const type = isPrivate ? "private" : "public";
  const list = checkUsages(usages, usagesOfHalf(name, type), `a ${name}`);
  if (format === "raw" && isShort(curve) && keyData.length !== SIZES[curve]) throw data(`${curve} raw keys must be exactly 32-bytes`);
  const kind = format === "raw" ? "public" : format;
  const found = format === "jwk" ? fromJwk(keyData, algorithm, curve, extractable, list) : readPoint(curve, kind, keyData);
  if (found === undefined) throw data();
  return key(type, described(name, curve), extractable, list, found);
}

function exportKey(format, cryptoKey, content) {
  const { type, algorithm, usages, extractable } = cryptoKey;
  if (format === "jwk") {
    const alg = algorithm.name === "Ed25519" ? { alg: algorithm.name } : {};
    return { key_ops: usages, ext: extractable, ...pointToJwk(content), ...alg };
  }
  if (format === "raw" && type === "public") return content.point.slice().buffer;
  if (format === (type === "public" ? "spki" : "pkcs8")) return writePoint(content, format).buffer;
  throw access(`Unable to export a ${format === "pkcs8" ? format : "raw"} ${algorithm.name} ${type} key`);
}

function generateKey(algorithm, extractable, usages) {
  const { name } = algorithm;
  const curve = curveOf(algorithm);
  const list = checkUsages(usages, USAGES[name], `an ${name}`);
  const found = generatePoint(curve);
  const of = (type) => list.filter((usage) => usagesOfHalf(name, type).includes(usage));
  return {
    publicKey: key("public", described(name, curve), true, of("public"), publicPoint(found)),
    privateKey: key("private", described(name, curve), extractable, of("private"), found),
  };
}

// The signed bytes: the message for Ed25519, otherwise its digest.
const signed = ({ name, hash: given }, bytes) => (name === "Ed25519" ? bytes : hash(webHash(given), bytes));

function sign(algorithm, _, { curve, secret }, bytes) {
  const signature = host.curveSign(curve, secret, signed(algorithm, bytes));
  if (signature == null) throw operation();
  return signature;
}

const verify = (algorithm, _, { curve, point }, signature, bytes) =>
  host.curveVerify(curve, point, signed(algorithm, bytes), signature);

function derive({ public: other }, cryptoKey, { curve, secret }, length) {
  if (!(other instanceof CryptoKey)) throw new TypeError("Failed to normalize algorithm: 'public' is no CryptoKey");
  if (other.type !== "public") throw access("algorithm.public must be a public key");
  if (cryptoKey.type !== "private") throw access("baseKey must be a private key");
  const { name } = other.algorithm;
  if (name !== "ECDH" && name !== "X25519") throw access("Keys must be ECDH, X25519, or X448 keys");
  if (name !== cryptoKey.algorithm.name) throw access("The public and private keys must be of the same type");
  const { curve: others, point } = contentOf(other);
  if (others !== curve) throw access("Named curve mismatch");
  const shared = host.curveDerive(curve, secret, point);
  if (shared == null) throw operation();
  if (length === null || length === undefined) return shared;
  const size = Math.ceil(length / 8);
  if (size > shared.length) throw failure("OperationError", "derived bit length is too small");
  const bits = shared.slice(0, size);
  // Only the first bits of the last byte are requested.
  if (length % 8 !== 0) bits[size - 1] &= (0xff00 >> length % 8) & 0xff;
  return bits;
}

const pairs = { importKey, exportKey, generateKey };
export const signingPoints = { ...pairs, sign, verify };
export const derivingPoints = { ...pairs, derive };
