// Writes the data of locales for `Intl`, from the pinned packages of the Unicode CLDR: `intl.data`, all texts in
// sequence, and `intl_index.js`, a module with their positions.
//
//   node intl/generate.mjs NODE_MODULES TARGET

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";

import { locales, parentOf } from "./locales.mjs";
import { sections } from "./sections.mjs";
import { supplemental } from "./supplemental.mjs";

const [modules, target] = process.argv.slice(2);

const read = (...path) => JSON.parse(readFileSync(join(modules, ...path), "utf8"));

const main = (kind, locale, file) => {
  const path = join(`cldr-${kind}-full`, "main", locale, `${file}.json`);
  return existsSync(join(modules, path)) ? read(path).main[locale] : undefined;
};

// The differences of a locale from its parent; `null` marks what only the parent has.
function difference(child, parent) {
  if (typeof child !== "object" || typeof parent !== "object" || Array.isArray(child) || child === null || parent === null)
    return JSON.stringify(child) === JSON.stringify(parent) ? undefined : child;
  const result = {};
  for (const key of Object.keys(child)) {
    const part = Object.hasOwn(parent, key) ? difference(child[key], parent[key]) : child[key];
    if (part !== undefined) result[key] = part;
  }
  for (const key of Object.keys(parent)) if (!Object.hasOwn(child, key)) result[key] = null;
  return Object.keys(result).length === 0 ? undefined : result;
}

const known = locales(modules);
const texts = [];
const index = {};
let length = 0;

function add(name, value) {
  const bytes = deflateRawSync(JSON.stringify(value), { level: 9 });
  index[name] = [length, bytes.length];
  texts.push(bytes);
  length += bytes.length;
}

for (const [section, make] of Object.entries(sections)) {
  const made = new Map(known.map((locale) => [locale, JSON.parse(JSON.stringify(make(main, locale)))]));
  for (const [locale, value] of made) {
    const parent = parentOf(read, locale);
    const text = parent === undefined ? value : difference(value, made.get(parent));
    if (text !== undefined) add(`${section}/${locale}`, text);
  }
}
const { eager, lazy } = supplemental(read, main, known);
for (const [name, value] of Object.entries(lazy)) add(name, value);

const parents = Object.fromEntries(known.map((locale) => [locale, parentOf(read, locale) ?? ""]));
writeFileSync(join(target, "intl.data"), Buffer.concat(texts));
writeFileSync(
  join(target, "intl_index.js"),
  [
    "// Written by intl/generate.mjs.",
    `export const index = ${JSON.stringify(index)};`,
    `export const parents = ${JSON.stringify(parents)};`,
    `export const supplemental = ${JSON.stringify(eager)};`,
    "",
  ].join("\n"),
);
