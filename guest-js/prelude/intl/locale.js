// `Intl.Locale`.

import { common, section } from "./data.js";
import { COLLATIONS } from "./collator.js";
import { hoursOf } from "./date_options.js";
import { bestAvailable, dataLocale, keywords, withoutExtensions } from "./locale_matching.js";
import { native } from "./native.js";
import { canonical, isLocale, markLocale, range } from "./options.js";
import { hidden } from "./service.js";

const CYCLES = { h: "h12", H: "h23", K: "h11", k: "h24" };
const DAYS = { mon: 1, tue: 2, wed: 3, thu: 4, fri: 5, sat: 6, sun: 7 };
const RIGHT_TO_LEFT = /^(?:Arab|Hebr|Thaa|Syrc|Nkoo|Adlm|Rohg|Mand|Samr)$/;
const OPTIONS = [
  ["calendar", "ca", /^[a-z0-9]{3,8}(?:-[a-z0-9]{3,8})*$/i],
  ["collation", "co", /^[a-z0-9]{3,8}(?:-[a-z0-9]{3,8})*$/i],
  ["hourCycle", "hc", /^h(?:11|12|23|24)$/],
  ["caseFirst", "kf", /^(?:upper|lower|false)$/],
  ["numberingSystem", "nu", /^[a-z0-9]{3,8}(?:-[a-z0-9]{3,8})*$/i],
];

const tags = new WeakMap();

function parts(tag) {
  const [language, ...rest] = withoutExtensions(tag).split("-");
  return {
    language,
    script: rest.find((part) => /^[A-Z][a-z]{3}$/.test(part)),
    region: rest.find((part) => /^(?:[A-Z]{2}|\d{3})$/.test(part)),
    variants: rest.filter((part) => /^(?:[a-z0-9]{5,8}|\d[a-z0-9]{3})$/.test(part)),
  };
}

function withOptions(tag, options) {
  const { language, script, region, variants } = parts(tag);
  const read = (name, pattern) => {
    const value = options[name];
    if (value === undefined) return undefined;
    if (!pattern.test(String(value))) throw range("Incorrect locale information provided");
    return String(value);
  };
  const own = [
    read("language", /^(?:[a-z]{2,3}|[a-z]{5,8})$/i) ?? language,
    read("script", /^[a-z]{4}$/i) ?? script,
    read("region", /^(?:[a-z]{2}|\d{3})$/i) ?? region,
    ...variants,
  ];
  const said = keywords(tag);
  for (const [name, key, pattern] of OPTIONS) {
    const value = options[name];
    if (value === undefined) continue;
    if (!pattern.test(String(value))) throw range("Incorrect locale information provided");
    said.set(key, String(value));
  }
  if (options.numeric !== undefined) said.set("kn", options.numeric ? "" : "false");
  const extension = [...said].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([key, type]) => (type === "" ? [key] : [key, type]));
  return canonical(own.filter((part) => part !== undefined).join("-") + (extension.length > 0 ? `-u-${extension.join("-")}` : ""));
}

const slot = (locale) => {
  if (!isLocale(locale)) throw new TypeError("Method Intl.Locale.prototype.toString called on incompatible receiver");
  return tags.get(locale);
};
const regionOf = (tag) => parts(native.maximize(withoutExtensions(tag))).region ?? "001";

class Locale {
  constructor(tag, ...rest) {
    const [options] = rest;
    if (typeof tag !== "string" && (typeof tag !== "object" || tag === null))
      throw new TypeError("First argument to Intl.Locale constructor can't be empty or missing");
    const own = isLocale(tag) ? tags.get(tag) : canonical(String(tag));
    if (options === null) throw new TypeError("Cannot convert undefined or null to object");
    tags.set(this, options === undefined ? own : withOptions(own, Object(options)));
    markLocale(this);
  }
  toString() {
    return slot(this);
  }
  maximize() {
    return new Locale(native.maximize(slot(this)));
  }
  minimize() {
    return new Locale(native.minimize(slot(this)));
  }
  get language() {
    return parts(slot(this)).language;
  }
  get script() {
    return parts(slot(this)).script;
  }
  get region() {
    return parts(slot(this)).region;
  }
  get baseName() {
    return withoutExtensions(slot(this));
  }
  get numeric() {
    const type = keywords(slot(this)).get("kn");
    return type !== undefined && type !== "false";
  }
  get calendars() {
    return this.calendar === undefined ? calendarsOf(regionOf(slot(this))) : [this.calendar];
  }
  get collations() {
    return this.collation === undefined ? ["emoji", "eor", ...(COLLATIONS[parts(slot(this)).language] ?? [])].sort() : [this.collation];
  }
  get hourCycles() {
    return this.hourCycle === undefined ? [CYCLES[hoursOf(slot(this))[0][0]]] : [this.hourCycle];
  }
  get numberingSystems() {
    if (this.numberingSystem !== undefined) return [this.numberingSystem];
    const found = bestAvailable(slot(this));
    return [found === undefined ? "latn" : section("numbers", dataLocale(found)).system];
  }
  get textInfo() {
    return { direction: RIGHT_TO_LEFT.test(parts(native.maximize(slot(this))).script) ? "rtl" : "ltr" };
  }
  get timeZones() {
    const { region } = parts(slot(this));
    if (region === undefined) return undefined;
    return Object.entries(common("metazones").territory).filter(([, other]) => other === region).map(([zone]) => zone).sort();
  }
  get weekInfo() {
    const region = regionOf(slot(this));
    const { first, minimum, start, end } = common("weeks");
    const of = (table) => table[region] ?? table["001"];
    const weekend = [];
    for (let day = DAYS[of(start)]; ; day = (day % 7) + 1) {
      weekend.push(day);
      if (day === DAYS[of(end)]) break;
    }
    return { firstDay: DAYS[of(first)], weekend, minimalDays: Number(of(minimum)) };
  }
}
for (const [name, key] of OPTIONS)
  Object.defineProperty(Locale.prototype, name, {
    get() {
      return keywords(slot(this)).get(key);
    },
    configurable: true,
  });

function calendarsOf(region) {
  const all = common("calendars")[region] ?? common("calendars")["001"];
  const names = { gregorian: "gregory", "ethiopic-amete-alem": "ethioaa" };
  return (typeof all === "string" ? all.split(" ") : all).map((name) => names[name] ?? name);
}

Object.defineProperty(Locale.prototype, Symbol.toStringTag, { value: "Intl.Locale", configurable: true });
hidden(Locale.prototype, "constructor", Locale);

export { Locale };
