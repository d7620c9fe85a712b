// Selects a locale for the requested ones.

import { parents, supplemental } from "./data.js";
import { canonicalLocales, choice, optionsOf } from "./options.js";

export const DEFAULT = "en-US";

// Tags whose data has another name.
const SCRIPTED = {
  "zh-CN": "zh-Hans",
  "zh-SG": "zh-Hans-SG",
  "zh-MY": "zh-Hans-MY",
  "zh-TW": "zh-Hant",
  "zh-HK": "zh-Hant-HK",
  "zh-MO": "zh-Hant-MO",
  "zh-Hant-TW": "zh-Hant",
};
const available = new Map();
for (const name of Object.keys(parents)) available.set(name, name);
for (const name of supplemental.defaults) {
  if (!available.has(name) && Object.hasOwn(parents, name.slice(0, name.lastIndexOf("-")))) available.set(name, name.slice(0, name.lastIndexOf("-")));
}
for (const [name, data] of Object.entries(SCRIPTED)) if (Object.hasOwn(parents, data)) available.set(name, data);

export const dataLocale = (locale) => available.get(locale);

export const withoutExtensions = (tag) => tag.replace(/-(?:[0-9a-wyz](?:-[0-9a-z]{2,8})+|x(?:-[0-9a-z]{1,8})+)/g, "");

export function bestAvailable(tag, among = available) {
  let candidate = withoutExtensions(tag);
  while (candidate) {
    if (among.has(candidate)) return candidate;
    const end = candidate.lastIndexOf("-");
    if (end < 0) return undefined;
    candidate = candidate.slice(0, end >= 2 && candidate[end - 2] === "-" ? end - 2 : end);
  }
  return undefined;
}

// `u-nu-latn-kn` as a map; a key without a type has the type "".
export function keywords(tag) {
  const found = new Map();
  const extension = /-u((?:-[0-9a-z]{2,8})+)/.exec(tag.replace(/-x-.*$/, ""))?.[1];
  if (extension === undefined) return found;
  let key;
  for (const part of extension.slice(1).split("-")) {
    if (part.length === 2) {
      key = part;
      if (!found.has(key)) found.set(key, "");
    } else if (key !== undefined) found.set(key, found.get(key) === "" ? part : `${found.get(key)}-${part}`);
  }
  return found;
}

// The locale for a program's request. `allowed` states for each key of the extension `u` whether a type is supported.
// Options take precedence over the tag, and are not repeated in it.
export function resolve(locales, options, allowed, among = available) {
  let found;
  let asked = "";
  for (const tag of canonicalLocales(locales)) {
    found = bestAvailable(tag, among);
    if (found !== undefined) {
      asked = tag;
      break;
    }
  }
  found ??= DEFAULT;
  const said = keywords(asked);
  const types = {};
  const kept = [];
  for (const [key, isAllowed] of Object.entries(allowed)) {
    let type;
    if (said.has(key)) {
      const own = said.get(key) === "true" ? "" : said.get(key);
      if (isAllowed(own === "" ? "true" : own, found)) {
        type = own === "" ? "true" : own;
        if (!Object.hasOwn(options, key) || options[key] === undefined || options[key] === type) kept.push(own === "" ? key : `${key}-${own}`);
      }
    }
    if (options[key] !== undefined && isAllowed(options[key], found)) type = options[key];
    types[key] = type;
  }
  kept.sort();
  return { locale: kept.length > 0 ? `${found}-u-${kept.join("-")}` : found, base: found, asked, data: available.get(found) ?? found, types };
}

export function supported(locales, options, service) {
  const asked = canonicalLocales(locales);
  if (options !== undefined) choice(optionsOf(options), "localeMatcher", ["lookup", "best fit"], "best fit", service);
  return asked.filter((tag) => bestAvailable(tag) !== undefined);
}
