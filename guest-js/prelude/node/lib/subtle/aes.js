// Encryption with AES.

import { host } from "isolette:prelude";

import { NOTHING, bytesOf, operation, unsupported } from "./algorithms.js";
import { aesKeys } from "./secrets.js";

const MODES = { "AES-GCM": "gcm", "AES-CBC": "cbc", "AES-CTR": "ctr" };

// Only the last `length` bits of the counter are incremented; when they overflow, they start at zero.
function counted(encrypts, length, secret, counter, bytes) {
  if (!(length >= 1 && length <= 128)) throw operation();
  const blocks = Math.ceil(bytes.length / 16);
  if (blocks > 2 ** length) throw operation();
  const bits = counter.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
  const size = 1n << BigInt(length);
  const left = size - (bits % size);
  const run = (from, part) => new Uint8Array(host.aes("ctr", encrypts, secret, from, part, NOTHING));
  if (BigInt(blocks) <= left) return run(counter, bytes);
  const first = Number(left) * 16;
  let start = bits - (bits % size);
  const again = new Uint8Array(16);
  for (let index = 15; index >= 0; index -= 1, start >>= 8n) again[index] = Number(start & 255n);
  const content = new Uint8Array(bytes.length);
  content.set(run(counter, bytes.slice(0, first)));
  content.set(run(again, bytes.slice(first)), first);
  return content;
}

const crypt = (encrypts) => (algorithm, _, secret, bytes) => {
  const { name } = algorithm;
  const iv = bytesOf(name === "AES-CTR" ? algorithm.counter : algorithm.iv);
  const size = algorithm.tagLength ?? 128;
  if (name === "AES-GCM" && size !== 128) throw unsupported("AES-GCM has tags of 128 bits here");
  if (name === "AES-GCM" && iv.length !== 12 && iv.length !== 16) throw unsupported("AES-GCM has an iv of 12 or 16 bytes here");
  if (name !== "AES-GCM" && iv.length !== 16) throw operation();
  if (name === "AES-CTR") return counted(encrypts, algorithm.length, secret, iv, bytes);
  const extra = algorithm.additionalData === undefined ? NOTHING : bytesOf(algorithm.additionalData);
  const content = host.aes(MODES[name], encrypts, secret, iv, bytes, extra);
  if (content == null) throw operation();
  return content;
};

export const aes = { ...aesKeys, encrypt: crypt(true), decrypt: crypt(false) };
