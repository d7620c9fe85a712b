// Secret keys: those of AES and HMAC, and those that are input of a derivation.

import { Buffer, host } from "isolette:prelude";

import { HASHES, hashName } from "../hashes.js";
import { USAGES, access, bytesOf, data, failure, fromBase64url, hostHash, NOTHING, operation, unsupported, webHash } from "./algorithms.js";
import { checkJwk, checkUsages, key } from "./keys.js";

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

const jwkAlgorithm = ({ name, hash, length }) =>
  name === "HMAC" ? `HS${hash.name.slice(4)}` : `A${length}${name.slice(4)}`;

// The names of encryption algorithms in errors.
const kindOf = (name) => (name.startsWith("AES") ? "AES" : name);

function secretBytes(format, keyData, name, extractable, usages) {
  if (format === "raw") return keyData;
  if (format !== "jwk") throw unsupported(`Unable to import ${kindOf(name)} key with format ${format}`);
  checkJwk(keyData, "oct", name === "HMAC" ? "sig" : "enc", extractable, usages);
  return fromBase64url(keyData.k);
}

function importSecret(format, keyData, algorithm, extractable, usages) {
  const { name } = algorithm;
  const list = checkUsages(usages, USAGES[name], `an ${kindOf(name)}`);
  const bytes = secretBytes(format, keyData, name, extractable, list);
  const described = name === "HMAC" ? hmacAlgorithm(algorithm, bytes) : aesAlgorithm(name, bytes);
  if (format === "jwk" && keyData.alg !== undefined && keyData.alg !== jwkAlgorithm(described)) {
    throw data('JWK "alg" does not match the requested algorithm');
  }
  return key("secret", described, extractable, list, bytes);
}

function exportSecret(format, cryptoKey, content) {
  if (format === "raw") return content.slice().buffer;
  if (format !== "jwk") throw access(`Unable to export a ${format === "spki" ? "raw" : format} ${cryptoKey.algorithm.name} secret key`);
  const k = Buffer.from(content).toString("base64url");
  return { key_ops: cryptoKey.usages, ext: true, kty: "oct", k, alg: jwkAlgorithm(cryptoKey.algorithm) };
}

// The default number of bits of a key for HMAC: the block size of the hash.
export const hmacLength = ({ hash, length }) => length ?? HASHES[hostHash(hash)][1] * 8;

function digestOf(name, bytes, secret) {
  const hash = hashName(name);
  const running = host.digest(hash, secret);
  host.digestUpdate(running, bytes);
  return host.digestFinish(running, HASHES[hash][0]);
}

export const hash = (name, bytes) => digestOf(name, bytes, undefined);

export const hmac = {
  importKey: importSecret,
  exportKey: exportSecret,
  generateKey(algorithm, extractable, usages) {
    const list = checkUsages(usages, USAGES.HMAC, "an HMAC");
    const name = webHash(algorithm.hash);
    const length = hmacLength(algorithm);
    return key("secret", { name: "HMAC", hash: { name }, length }, extractable, list, host.randomBytes(Math.ceil(length / 8)));
  },
  sign: (_, cryptoKey, content, bytes) => digestOf(cryptoKey.algorithm.hash.name, bytes, content),
  verify(_, cryptoKey, content, signature, bytes) {
    const expected = digestOf(cryptoKey.algorithm.hash.name, bytes, content);
    if (expected.length !== signature.length) return false;
    // In constant time, independent of the first wrong byte.
    let difference = 0;
    for (let index = 0; index < expected.length; index += 1) difference |= expected[index] ^ signature[index];
    return difference === 0;
  },
};

export const aesKeys = {
  importKey: importSecret,
  exportKey: exportSecret,
  generateKey({ name, length }, extractable, usages) {
    const list = checkUsages(usages, USAGES[name], "an AES");
    if (![128, 192, 256].includes(length)) throw operation();
    return key("secret", { name, length }, extractable, list, host.randomBytes(length / 8));
  },
};

export const derivation = {
  importKey(format, keyData, { name }, extractable, usages) {
    if (extractable) throw failure("SyntaxError", `${name} keys are not extractable`);
    const list = checkUsages(usages, USAGES[name], `a ${name}`);
    return key("secret", { name }, false, list, secretBytes(format, keyData, name, extractable, list));
  },
  derive(algorithm, _, content, length) {
    const { name } = algorithm;
    const hashed = hostHash(algorithm.hash);
    if (length === null || length === undefined || length % 8 !== 0) throw operation();
    if (length === 0) return new Uint8Array(0);
    const rounds = name === "PBKDF2" ? algorithm.iterations : 0;
    if (name === "PBKDF2" && !(rounds > 0)) throw operation();
    const info = name === "HKDF" ? bytesOf(algorithm.info) : NOTHING;
    const bits = host.deriveBits(hashed, content, bytesOf(algorithm.salt), info, rounds, length / 8);
    if (bits == null) throw operation();
    return bits;
  },
};
