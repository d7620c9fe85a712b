// Reads options according to ECMA-402.

import { native } from "./native.js";

export const range = (message) => new RangeError(message);

export function optionsOf(options, service, strict = false) {
  if (options === undefined) return Object.create(null);
  if (options === null) throw new TypeError(`${service ?? "Intl"} called on null or undefined`);
  if (strict && typeof options !== "object" && typeof options !== "function")
    throw new TypeError("invalid_argument");
  return Object(options);
}

// One of `values`, or `fallback` if the option is not set.
export function choice(options, name, values, fallback, service) {
  const value = options[name];
  if (value === undefined) return fallback;
  const text = String(value);
  if (values !== undefined && !values.includes(text))
    throw range(`Value ${text} out of range for ${service} options property ${name}`);
  return text;
}

export function flag(options, name, fallback) {
  const value = options[name];
  return value === undefined ? fallback : Boolean(value);
}

export function whole(value, name, low, high, fallback) {
  if (value === undefined) return fallback;
  const number = Number(value);
  if (!(number >= low && number <= high)) throw range(`${name} value is out of range.`);
  return Math.floor(number);
}

// A type of an extension, as in `nu-latn`; undefined if the option is not set.
export function extensionType(options, name) {
  const value = options[name];
  if (value === undefined) return undefined;
  const text = String(value).toLowerCase();
  if (!/^[a-z0-9]{3,8}(-[a-z0-9]{3,8})*$/.test(text)) throw range(`Invalid ${name} : ${value}`);
  return text;
}

export function canonicalLocales(locales) {
  if (locales === undefined) return [];
  if (locales === null) throw new TypeError("Cannot convert undefined or null to object");
  const list = typeof locales === "string" || isLocale(locales) ? [locales] : Array.from(Object(locales));
  const result = [];
  for (const entry of list) {
    if (typeof entry !== "string" && (typeof entry !== "object" || entry === null))
      throw new TypeError("Language ID should be string or object.");
    const tag = isLocale(entry) ? entry.toString() : canonical(String(entry));
    if (!result.includes(tag)) result.push(tag);
  }
  return result;
}

export function canonical(tag) {
  const result = native.canonicalize(tag);
  if (result === undefined) throw range("Incorrect locale information provided");
  return result;
}

const localeSlots = new WeakSet();
export const isLocale = (value) => typeof value === "object" && value !== null && localeSlots.has(value);
export const markLocale = (value) => localeSlots.add(value);
