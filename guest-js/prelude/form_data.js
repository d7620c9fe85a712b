// `FormData`, and how it is sent.

import { Blob, File, bytesOfBlob, concatenate } from "./blob.js";
import { builtIn } from "./globals.js";
import { host } from "./host.js";

function entry(value, filename) {
  if (!(value instanceof Blob)) return `${value}`;
  if (filename === undefined && value instanceof File) return value;
  return new File([value], filename ?? "blob", { type: value.type });
}

export class FormData {
  #entries = [];

  append(name, value, filename) {
    this.#entries.push([`${name}`, entry(value, filename)]);
  }
  set(name, value, filename) {
    const index = this.#entries.findIndex(([known]) => known === `${name}`);
    this.delete(name);
    this.#entries.splice(index < 0 ? this.#entries.length : index, 0, [`${name}`, entry(value, filename)]);
  }
  delete(name) {
    this.#entries = this.#entries.filter(([known]) => known !== `${name}`);
  }
  get(name) {
    return this.#entries.find(([known]) => known === `${name}`)?.[1] ?? null;
  }
  getAll(name) {
    return this.#entries.filter(([known]) => known === `${name}`).map(([, value]) => value);
  }
  has(name) {
    return this.#entries.some(([known]) => known === `${name}`);
  }
  forEach(callback, self) {
    for (const [name, value] of this) callback.call(self, value, name, this);
  }
  *entries() {
    yield* this.#entries;
  }
  *keys() {
    for (const [name] of this.#entries) yield name;
  }
  *values() {
    for (const [, value] of this.#entries) yield value;
  }
  [Symbol.iterator]() {
    return this.entries();
  }
}
builtIn("FormData", FormData);

const quoted = (text) => text.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");

// The bytes of `multipart/form-data`, and their content type.
export function multipart(form) {
  const boundary = `----isolette${Array.from(host.randomBytes(12), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  const parts = [];
  for (const [name, value] of form) {
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`);
    if (typeof value === "string") parts.push(`\r\n\r\n${value.replace(/\r\n|\r|\n/g, "\r\n")}\r\n`);
    else
      parts.push(
        `; filename="${quoted(value.name)}"\r\nContent-Type: ${value.type || "application/octet-stream"}\r\n\r\n`,
        bytesOfBlob(value),
        "\r\n",
      );
  }
  parts.push(`--${boundary}--\r\n`);
  return [concatenate(parts), `multipart/form-data; boundary=${boundary}`];
}
