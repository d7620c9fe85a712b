// Signatures of ECDSA as two numbers in DER, Node's default. The host uses the concatenation of the two numbers, each
// with the size of the curve.

import { Buffer } from "isolette:prelude";

const integer = (bytes) => {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? Buffer.of(0) : bytes.subarray(first);
  const content = digits[0] > 127 ? Buffer.concat([Buffer.of(0), digits]) : digits;
  return Buffer.concat([Buffer.of(2, content.length), content]);
};

export function toDer(signature) {
  const bytes = Buffer.from(signature);
  const half = bytes.length / 2;
  const content = Buffer.concat([integer(bytes.subarray(0, half)), integer(bytes.subarray(half))]);
  const head = content.length > 127 ? [0x30, 0x81, content.length] : [0x30, content.length];
  return Buffer.concat([Buffer.from(head), content]);
}

// Undefined for other bytes.
export function fromDer(bytes, size) {
  const start = bytes[1] === 0x81 ? 3 : 2;
  if (bytes[0] !== 0x30 || bytes[start - 1] !== bytes.length - start) return undefined;
  if (start === 3 && bytes[2] < 128) return undefined;
  const numbers = [];
  let at = start;
  for (let count = 0; count < 2; count += 1) {
    const end = at + 2 + bytes[at + 1];
    // A number is positive, and written with the minimum number of bytes.
    if (bytes[at] !== 2 || !(end <= bytes.length) || end === at + 2 || bytes[at + 2] > 127) return undefined;
    const isPadded = bytes[at + 2] === 0 && end > at + 3;
    if (isPadded && bytes[at + 3] < 128) return undefined;
    const digits = bytes.subarray(at + 2 + (isPadded ? 1 : 0), end);
    if (digits.length > size) return undefined;
    numbers.push(Buffer.alloc(size - digits.length), digits);
    at = end;
  }
  return at === bytes.length ? Buffer.concat(numbers) : undefined;
}
