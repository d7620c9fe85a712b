// `FormData`, and its encoding.

import { Blob, File, bytesOfBlob, concatenate } from "./blob.js";
import { latin1 } from "./encoding.js";
import { builtIn } from "./globals.js";
import { host } from "./host.js";
import { enumerable, iterable, needs } from "./pairs.js";

const text = (value) => `${value}`.toWellFormed();

function entry(value, filename, args, method) {
  needs(args, 2, method);
  if (!(value instanceof Blob)) {
    if (args.length > 2) throw new TypeError(`Failed to execute '${method.slice(9)}' on 'FormData': parameter 2 is not of type 'Blob'`);
    return text(value);
  }
  if (filename === undefined && value instanceof File) return value;
  return new File([value], filename ?? "blob", { type: value.type });
}

export class FormData {
  #entries = [];

  constructor(form = undefined) {
    if (form !== undefined)
      throw new TypeError("Failed to construct 'FormData': parameter 1 is not of type 'HTMLFormElement'");
  }
  static pairsOf(form) {
    return form.#entries;
  }
  append(name, value, filename = undefined) {
    this.#entries.push([text(name), entry(value, filename, arguments, "FormData.append")]);
  }
  delete(name) {
    needs(arguments, 1, "FormData.delete");
    const key = text(name);
    this.#entries = this.#entries.filter(([known]) => known !== key);
  }
  get(name) {
    needs(arguments, 1, "FormData.get");
    const key = text(name);
    return this.#entries.find(([known]) => known === key)?.[1] ?? null;
  }
  getAll(name) {
    needs(arguments, 1, "FormData.getAll");
    const key = text(name);
    return this.#entries.filter(([known]) => known === key).map(([, value]) => value);
  }
  has(name) {
    needs(arguments, 1, "FormData.has");
    const key = text(name);
    return this.#entries.some(([known]) => known === key);
  }
  set(name, value, filename = undefined) {
    const pair = [text(name), entry(value, filename, arguments, "FormData.set")];
    const index = this.#entries.findIndex(([known]) => known === pair[0]);
    this.delete(name);
    this.#entries.splice(index < 0 ? this.#entries.length : index, 0, pair);
  }
}
const { pairsOf } = FormData;
delete FormData.pairsOf;
builtIn("FormData", FormData);
iterable(FormData, pairsOf);
enumerable(FormData);

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
