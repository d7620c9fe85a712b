// RSA: signatures with RSASSA-PKCS1-v1_5 and RSA-PSS, encryption with RSA-OAEP.

import { host } from "isolette:prelude";

import { HASHES } from "../hashes.js";
import { SIZE_HINT, generateRsa, publicRsa, readRsa, rsaDetails, rsaFromJwk, rsaToJwk, writeRsa } from "../pairs/rsa.js";
import { NOTHING, USAGES, access, bytesOf, data, failure, hostHash, operation, unsupported, usagesOfHalf, webHash } from "./algorithms.js";
import { checkJwk, checkUsages, key } from "./keys.js";
import { hash } from "./secrets.js";

// The names of algorithms with a hash in JSON Web Keys: for OAEP with SHA-1, only the algorithm.
const PREFIXES = { "RSASSA-PKCS1-v1_5": "RS", "RSA-PSS": "PS", "RSA-OAEP": "RSA-OAEP-" };
const jwkAlgorithm = (name, hashed) =>
  name === "RSA-OAEP" && hashed === "SHA-1" ? "RSA-OAEP" : `${PREFIXES[name]}${hashed.slice(4)}`;

function fromJwk(jwk, name, hashed, extractable, usages) {
  checkJwk(jwk, "RSA", name === "RSA-OAEP" ? "enc" : "sig", extractable, usages);
  // Node checks only the hash.
  const fits = jwk.alg === undefined || Object.keys(PREFIXES).some((other) => jwkAlgorithm(other, hashed) === jwk.alg);
  if (!fits) throw data('JWK "alg" does not match the requested algorithm');
  return rsaFromJwk(jwk);
}

const described = (name, hashed, details) => ({ name, ...details, hash: { name: hashed } });

function importKey(format, keyData, algorithm, extractable, usages) {
  const { name } = algorithm;
  const hashed = webHash(algorithm.hash);
  if (format === "raw") throw unsupported("Unable to import RSA key with format raw");
  const isPrivate = format === "pkcs8" || (format === "jwk" && keyData?.d !== undefined);
  const type = isPrivate ? "private" : "public";
  const list = checkUsages(usages, usagesOfHalf(name, type), `an ${name}`);
  const found = format === "jwk" ? fromJwk(keyData, name, hashed, extractable, list) : readRsa(format, keyData);
  if (found === undefined) throw data();
  if (found.refused !== undefined) throw unsupported(`An RSA key has ${found.refused} bits${SIZE_HINT}`);
  return key(type, described(name, hashed, rsaDetails(found)), extractable, list, found);
}

function exportKey(format, cryptoKey, content) {
  const { type, algorithm, usages, extractable } = cryptoKey;
  if (format === "jwk") {
    return { key_ops: usages, ext: extractable, ...rsaToJwk(content), alg: jwkAlgorithm(algorithm.name, algorithm.hash.name) };
  }
  if (format === (type === "public" ? "spki" : "pkcs8")) return writeRsa(content, format).buffer;
  throw access(`Unable to export a ${format === "pkcs8" ? format : "raw"} ${algorithm.name} ${type} key`);
}

function generateKey(algorithm, extractable, usages) {
  const { name, modulusLength, publicExponent } = algorithm;
  const hashed = webHash(algorithm.hash);
  if (modulusLength === undefined) throw new TypeError("Failed to normalize algorithm: 'modulusLength' is required");
  if (!(publicExponent instanceof Uint8Array)) throw new TypeError("Failed to normalize algorithm: 'publicExponent' is no Uint8Array");
  const exponent = publicExponent.reduce((number, byte) => number * 256 + byte, 0);
  if (exponent > 0xffffffff) throw failure("OperationError", "The publicExponent must be equivalent to an unsigned 32-bit value");
  const list = checkUsages(usages, USAGES[name], "a RSA");
  const of = (type) => list.filter((usage) => usagesOfHalf(name, type).includes(usage));
  // Fails before the expensive generation of a key that could not be used.
  if (of("private").length === 0) throw failure("SyntaxError", "Usages cannot be empty when creating a key.");
  const found = generateRsa(Number(modulusLength), exponent);
  if (found === undefined) throw operation(`${SIZE_HINT}, and an odd public exponent of at least 3`);
  const details = () => described(name, hashed, { modulusLength: Number(modulusLength), publicExponent: publicExponent.slice() });
  return {
    publicKey: key("public", details(), true, of("public"), publicRsa(found)),
    privateKey: key("private", details(), extractable, of("private"), found),
  };
}

// The length of the salt, for PSS only.
function saltLength({ name, saltLength: length }, { algorithm }) {
  if (name !== "RSA-PSS") return undefined;
  if (length === undefined) throw new TypeError("Failed to normalize algorithm: 'saltLength' is required");
  if (!(length >= 0 && length <= 0xffffffff)) {
    throw new TypeError("Failed to normalize algorithm: 'saltLength' of 'RsaPssParams' (passed algorithm) is outside the expected range of 0 to 4294967295.");
  }
  const most = Math.ceil((algorithm.modulusLength - 1) / 8) - HASHES[hostHash(algorithm.hash)][0] - 2;
  if (Math.trunc(length) > most) throw operation();
  return Math.trunc(length);
}

function sign(algorithm, cryptoKey, { key: native }, bytes) {
  const { name } = cryptoKey.algorithm.hash;
  const signature = host.rsaSign(native, hostHash(name), hash(name, bytes), saltLength(algorithm, cryptoKey));
  if (signature == null) throw operation();
  return signature;
}

function verify(algorithm, cryptoKey, { key: native }, signature, bytes) {
  const { name } = cryptoKey.algorithm.hash;
  const salt = saltLength(algorithm, cryptoKey);
  return host.rsaVerify(native, hostHash(name), hash(name, bytes), signature, salt !== undefined, salt);
}

const crypt = (work) => (algorithm, cryptoKey, { key: native }, bytes) => {
  const label = algorithm.label === undefined ? NOTHING : bytesOf(algorithm.label);
  const content = work(native, hostHash(cryptoKey.algorithm.hash), bytes, label);
  if (content == null) throw operation();
  return content;
};

const pairs = { importKey, exportKey, generateKey };
export const signingRsa = { ...pairs, sign, verify };
export const encryptingRsa = { ...pairs, encrypt: crypt(host.rsaEncrypt), decrypt: crypt(host.rsaDecrypt) };
