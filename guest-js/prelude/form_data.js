// `FormData`, and its encoding.

import { Blob, File, bytesOfBlob, concatenate } from "./blob.js";
import { latin1 } from "./encoding.js";
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

const utf8 = (bytes) => host.decodeText(bytes, "utf-8", false, false);
const unquoted = (text) => text.replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%22", '"');

// The headers of one part: its name, its file name, and its type.
function described(head) {
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1] ?? "";
  const name = /(?:^|[;\s])name="([^"]*)"/i.exec(disposition)?.[1];
  const filename = /(?:^|[;\s])filename="([^"]*)"/i.exec(disposition)?.[1];
  const type = /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1];
  return { name, filename, type };
}

// Decodes a body of `multipart/form-data`.
export function parseMultipart(bytes, boundary) {
  const form = new FormData();
  // One character for each byte, so that positions are the same.
  const text = `\r\n${latin1(bytes)}`;
  const bounds = `\r\n--${boundary}`;
  const malformed = () => new TypeError("Failed to parse body as FormData.");
  let at = text.indexOf(bounds);
  while (at >= 0) {
    at += bounds.length;
    if (text.startsWith("--", at)) return form;
    const content = text.indexOf("\r\n\r\n", at);
    const end = text.indexOf(bounds, at);
    if (content < 0 || end < content) throw malformed();
    const { name, filename, type } = described(utf8(bytes.subarray(at - 2, content - 2)));
    if (name === undefined) throw malformed();
    const value = bytes.slice(content + 2, Math.max(content + 2, end - 2));
    if (filename === undefined) form.append(unquoted(name), utf8(value));
    else form.append(unquoted(name), new File([value], unquoted(filename), { type: type ?? "text/plain" }));
    at = end;
  }
  throw malformed();
}
