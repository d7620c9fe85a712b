// `CryptoKey`, and checks before one is created or used.

import { builtIn } from "isolette:prelude";

import { access, data, failure } from "./algorithms.js";

const contents = new WeakMap();
const making = Symbol("making");

export class CryptoKey {
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
    const depth = options.depth === null || options.depth === undefined ? null : options.depth - 1;
    return `CryptoKey ${inspect({ type, extractable, algorithm, usages }, { ...options, depth })}`;
  }
}
builtIn("CryptoKey", CryptoKey);

export const key = (type, algorithm, extractable, usages, content) =>
  new CryptoKey(making, type, algorithm, Boolean(extractable), usages, content);

// The content of a key.
export function contentOf(cryptoKey) {
  if (!(cryptoKey instanceof CryptoKey)) throw new TypeError("The key is no CryptoKey");
  return contents.get(cryptoKey).content;
}

// The same, if the key has the usage.
export function contentFor(cryptoKey, name, usage, message) {
  const content = contentOf(cryptoKey);
  if (cryptoKey.algorithm.name !== name || !cryptoKey.usages.includes(usage)) throw access(message);
  return content;
}

// The requested usages, without duplicates. `kind` is an algorithm with its article.
export function checkUsages(usages, allowed, kind) {
  const list = [...new Set(usages)];
  if (list.some((usage) => !allowed.includes(usage))) {
    throw failure("SyntaxError", `Unsupported key usage for ${kind} key`);
  }
  return list;
}

// The attributes of a JSON Web Key.
export function checkJwk(jwk, kind, use, extractable, usages) {
  if (typeof jwk !== "object" || jwk === null || ArrayBuffer.isView(jwk)) throw new TypeError("The key data is no JsonWebKey");
  if (!jwk.kty) throw data();
  if (jwk.kty !== kind) throw data('Invalid JWK "kty" Parameter');
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) throw data('Invalid JWK "use" Parameter');
  if (jwk.key_ops !== undefined) {
    if (!Array.isArray(jwk.key_ops)) throw new TypeError('The "keyData.key_ops" property must be an instance of Array');
    if (new Set(jwk.key_ops).size !== jwk.key_ops.length) throw data("Duplicate key operation");
    if (usages.some((usage) => !jwk.key_ops.includes(usage))) throw data("Key operations and usage mismatch");
  }
  if (jwk.ext === false && extractable) throw data('JWK "ext" Parameter and extractable mismatch');
}
