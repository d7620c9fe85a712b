// Keys of RSA: `{ key, isPrivate }`; the host has the content. Functions return undefined for invalid bytes, and `{
// refused }` with the number of bits for an unsupported size.

import { Buffer, host } from "isolette:prelude";

export const SIZE_HINT = "\nhint: RSA keys have a modulus of 512 to 4096 bits here";

const found = (key, isPrivate) => {
  if (key == null) return undefined;
  return typeof key === "number" ? { refused: key } : { key, isPrivate };
};

// `format` is `pkcs8`, `spki`, `pkcs1-private` or `pkcs1-public`.
export const readRsa = (format, bytes) => found(host.rsaRead(format, bytes), format === "pkcs8" || format === "pkcs1-private");

export const generateRsa = (bits, exponent) => {
  // Other values would not be numbers of the host.
  if (!Number.isInteger(bits) || bits < 0 || bits > 65536) return undefined;
  return found(host.rsaGenerate(bits, exponent), true);
};

export const publicRsa = ({ key }) => ({ key: host.rsaPublic(key), isPrivate: false });

export const writeRsa = ({ key }, format) => host.rsaWrite(key, format);

const PARTS = ["n", "e", "d", "p", "q", "dp", "dq", "qi"];

export function rsaFromJwk(jwk) {
  const isPrivate = jwk.d !== undefined;
  const names = isPrivate ? PARTS : ["n", "e"];
  if (names.some((name) => typeof jwk[name] !== "string")) return undefined;
  const numbers = names.slice(0, 5).map((name) => Buffer.from(jwk[name], "base64url"));
  return found(host.rsaMake(numbers), isPrivate);
}

export function rsaToJwk({ key }) {
  const numbers = host.rsaParts(key).map((bytes, index) => [PARTS[index], Buffer.from(bytes).toString("base64url")]);
  return { kty: "RSA", ...Object.fromEntries(numbers) };
}

// The number of bits of the modulus, and the public exponent as bytes.
export function rsaDetails({ key }) {
  const [modulus, publicExponent] = host.rsaParts(key);
  return { modulusLength: modulus.length * 8 - Math.clz32(modulus[0]) + 24, publicExponent };
}
