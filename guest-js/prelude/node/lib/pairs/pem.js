// PEM: DER as text, between lines with its type.

import { Buffer } from "isolette:prelude";

// The types of the key formats.
const LABELS = {
  pkcs8: "PRIVATE KEY",
  "pkcs1-private": "RSA PRIVATE KEY",
  sec1: "EC PRIVATE KEY",
  spki: "PUBLIC KEY",
  "pkcs1-public": "RSA PUBLIC KEY",
};
const FORMATS = Object.fromEntries(Object.entries(LABELS).map(([format, label]) => [label, format]));

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g;

// The first key in a text: its format and its bytes. Other blocks, like the parameters of a curve, precede some keys.
export function fromPem(text) {
  for (const [, label, content] of text.matchAll(BLOCK)) {
    if (Object.hasOwn(FORMATS, label)) return { format: FORMATS[label], der: Buffer.from(content, "base64") };
  }
  return undefined;
}

export function toPem(format, der) {
  const lines = Buffer.from(der).toString("base64").match(/.{1,64}/g);
  return `-----BEGIN ${LABELS[format]}-----\n${lines.join("\n")}\n-----END ${LABELS[format]}-----\n`;
}
