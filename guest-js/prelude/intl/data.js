// The data of locales: written by `intl/generate.mjs`, stored as text in the image, parsed on first use.

import { index, parents } from "../../target/intl_index.js";
import { native } from "./native.js";

export { parents, supplemental } from "../../target/intl_index.js";

const { hasOwn, keys } = Object;
const { isArray } = Array;

const loaded = new Map();

function read(name) {
  if (!hasOwn(index, name)) return undefined;
  const [offset, length] = index[name];
  return native.data(offset, length);
}

const isTable = (value) => typeof value === "object" && value !== null && !isArray(value);

function merge(parent, difference) {
  if (!isTable(difference) || !isTable(parent)) return difference;
  const result = { ...parent };
  for (const key of keys(difference)) {
    if (difference[key] === null) delete result[key];
    else result[key] = hasOwn(parent, key) ? merge(parent[key], difference[key]) : difference[key];
  }
  return result;
}

// A part of the data of a locale. A locale contains only the differences from its parent.
export function section(name, locale) {
  const key = `${name}/${locale}`;
  if (loaded.has(key)) return loaded.get(key);
  const parent = parents[locale] ? section(name, parents[locale]) : undefined;
  const own = read(key);
  const value = own === undefined ? parent : parent === undefined ? own : merge(parent, own);
  loaded.set(key, value);
  return value;
}

// Data that belongs to no locale.
export function common(name) {
  if (!loaded.has(name)) loaded.set(name, read(name));
  return loaded.get(name);
}
