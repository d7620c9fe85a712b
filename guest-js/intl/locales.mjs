// The supported locales: ten languages, with all their regions.

import { readdirSync } from "node:fs";
import { join } from "node:path";

export const LANGUAGES = ["de", "en", "es", "fr", "it", "ja", "ko", "nl", "pt", "zh"];

// Scripts that Node's data does not contain.
const SCRIPTS = /-(?:Dsrt|Shaw|Latn)\b/;

export function locales(modules) {
  const all = readdirSync(join(modules, "cldr-dates-full", "main"));
  const known = all.filter((name) => LANGUAGES.includes(name.split("-")[0]) && !SCRIPTS.test(name));
  // Parents come before their children.
  return known.sort((one, other) => one.split("-").length - other.split("-").length || (one < other ? -1 : 1));
}

// The locale that missing data comes from; undefined for a language.
export function parentOf(read, locale) {
  if (!locale.includes("-")) return undefined;
  const { parentLocale } = read("cldr-core", "supplemental", "parentLocales.json").supplemental.parentLocales;
  const parent = parentLocale?.[locale] ?? locale.slice(0, locale.lastIndexOf("-"));
  // Chinese in traditional script has only the root as its parent; data that it shares with the language is stored
  // once.
  return parent === "und" || parent === "root" ? locale.split("-")[0] : parent;
}
