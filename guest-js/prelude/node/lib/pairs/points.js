// Keys on curves: `{ curve, secret, point }`; a public key has no secret. Functions return undefined for invalid bytes.

import { Buffer, host } from "isolette:prelude";

// The number of bytes of a number.
export const SIZES = { "P-256": 32, "P-384": 48, "P-521": 66, Ed25519: 32, X25519: 32 };

// Curves whose point is one number.
export const isShort = (curve) => curve === "Ed25519" || curve === "X25519";

const named = (curve, found) => (found == null ? undefined : { curve, secret: found[0] ?? undefined, point: found[1] });

export const readPoint = (curve, format, bytes) => named(curve, host.curveKey(curve, format, bytes));

export const generatePoint = (curve) => named(curve, host.curveGenerate(curve));

export const publicPoint = ({ curve, point }) => ({ curve, secret: undefined, point });

// `format` is `spki`, or of private keys `pkcs8` or `sec1`.
export const writePoint = ({ curve, secret, point }, format) =>
  host.curveEncode(curve, format, format === "spki" ? point : secret);

// A number of a JSON Web Key, with the size of the curve.
function numberOf(text, size) {
  if (typeof text !== "string") return undefined;
  const bytes = Buffer.from(text, "base64url");
  return bytes.length > size ? undefined : Buffer.concat([Buffer.alloc(size - bytes.length), bytes]);
}

export function pointFromJwk(curve, { x, y, d }) {
  const numbers = (isShort(curve) ? [x] : [x, y]).map((text) => numberOf(text, SIZES[curve]));
  if (numbers.includes(undefined)) return undefined;
  const point = isShort(curve) ? numbers[0] : Buffer.concat([Buffer.of(4), ...numbers]);
  if (d === undefined) return readPoint(curve, "public", point);
  const secret = numberOf(d, SIZES[curve]);
  const found = secret === undefined ? undefined : readPoint(curve, "private", secret);
  return found !== undefined && Buffer.compare(Buffer.from(found.point), point) === 0 ? found : undefined;
}

export function pointToJwk({ curve, secret, point }) {
  const text = (bytes) => Buffer.from(bytes).toString("base64url");
  const d = secret === undefined ? {} : { d: text(secret) };
  if (isShort(curve)) return { crv: curve, ...d, x: text(point), kty: "OKP" };
  const size = SIZES[curve];
  return { kty: "EC", x: text(point.slice(1, 1 + size)), y: text(point.slice(1 + size)), crv: curve, ...d };
}
