// Data that belongs to no locale: plural rules, hours and zones.

import { LANGUAGES } from "./locales.mjs";

// `n % 10 = 1 and n % 100 != 11 @integer …` as a JavaScript expression; operands are members of `o`.
function condition(rule) {
  const text = rule.split("@")[0].trim();
  if (text === "") return "true";
  const relation = (part) => {
    const [, operand, modulus, operator, list] = /^([nivwftce])(?:\s*%\s*(\d+))?\s*(!?=)\s*(.+)$/.exec(part.trim());
    const value = modulus ? `o.${operand}%${modulus}` : `o.${operand}`;
    const any = list.split(",").map((range) => {
      const [low, high] = range.trim().split("..");
      return high === undefined ? `${value}===${low}` : `(Number.isInteger(${value})&&${value}>=${low}&&${value}<=${high})`;
    });
    return `${operator === "=" ? "" : "!"}(${any.join("||")})`;
  };
  return text.split(" or ").map((part) => part.split(" and ").map(relation).join("&&")).join("||");
}

const rulesOf = (all) =>
  Object.fromEntries(
    Object.entries(all).map(([key, rule]) => [key.slice("pluralRule-count-".length), condition(rule)]).filter(([name]) => name !== "other"),
  );

// Zones whose short names do not begin with their region.
const REGIONS = { "Asia/Gaza": "PS", "Asia/Hebron": "PS", "Asia/Jerusalem": "IL" };

export function supplemental(read, main, known) {
  const of = (file, part = file) => read("cldr-core", "supplemental", `${file}.json`).supplemental[part];
  const cardinals = of("plurals", "plurals-type-cardinal");
  const ordinals = of("ordinals", "plurals-type-ordinal");
  const ranges = of("pluralRanges", "plurals");
  const plurals = {};
  for (const language of [...LANGUAGES, "pt-PT"]) {
    const range = Object.entries(ranges[language] ?? {}).map(([key, value]) => {
      const [, start, end] = /start-(\w+)-end-(\w+)/.exec(key);
      return [`${start} ${end}`, value];
    });
    plurals[language] = {
      cardinal: rulesOf(cardinals[language] ?? cardinals[language.slice(0, 2)]),
      ordinal: rulesOf(ordinals[language] ?? ordinals[language.slice(0, 2)]),
      ranges: Object.fromEntries(range),
    };
  }
  const fractions = Object.fromEntries(
    Object.entries(of("currencyData").fractions).filter(([, { _digits }]) => _digits !== "2").map(([code, { _digits }]) => [code, Number(_digits)]),
  );
  const digits = Object.fromEntries(
    Object.entries(of("numberingSystems")).filter(([, system]) => system._digits).map(([name, system]) => [name, system._digits]),
  );
  const symbolsOf = (locale, system) => main("numbers", locale, "numbers").numbers[`symbols-numberSystem-${system}`];
  // The packages contain no root; these languages have the same digits, except for one letter.
  const symbols = { arab: { ...symbolsOf("ar", "arab"), exponential: "اس" }, arabext: symbolsOf("fa", "arabext") };
  const hours = Object.fromEntries(Object.entries(of("timeData")).map(([key, { _allowed, _preferred }]) => [key, `${_preferred} ${_allowed}`]));
  const minutes = (time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
  const periods = {};
  for (const language of LANGUAGES) {
    const rules = of("dayPeriods", "dayPeriodRuleSet")[language] ?? {};
    periods[language] = Object.entries(rules).map(([name, rule]) =>
      rule._at ? [name, minutes(rule._at)] : [name, minutes(rule._from), minutes(rule._before)],
    );
  }
  const meta = of("metaZones");
  const uses = {};
  const walk = (prefix, object) => {
    for (const [name, entry] of Object.entries(object)) {
      if (!Array.isArray(entry)) walk(`${prefix}${name}/`, entry);
      else uses[prefix + name] = entry.map(({ usesMetazone: use }) => [use._mzone, use._from ?? "", use._to ?? ""]);
    }
  };
  walk("", meta.metazoneInfo.timezone);
  const golden = {};
  for (const { mapZone } of meta.metazones) (golden[mapZone._other] ??= {})[mapZone._territory] = mapZone._type;
  const aliases = {};
  const territory = {};
  for (const [key, zone] of Object.entries(read("cldr-bcp47", "bcp47", "timezone.json").keyword.u.tz)) {
    if (typeof zone !== "object" || zone._alias === undefined || zone._deprecated) continue;
    const [first, ...others] = zone._alias.split(" ");
    for (const name of others) aliases[name] = first;
    const region = REGIONS[first] ?? key.slice(0, 2).toUpperCase();
    if (first.includes("/") && !first.startsWith("Etc/")) territory[first] = region;
  }
  // Currencies that are or were in use in the years of ICU's data, and three more in its list.
  const money = new Set(["SVC", "XDR", "XSU"]);
  for (const region of Object.values(of("currencyData").region))
    for (const [code, { _tender, _to }] of region.flatMap(Object.entries)) if (_tender !== "false" && (_to ?? "9") >= "2020-01-01") money.add(code);
  const week = of("weekData");
  return {
    eager: { plurals, fractions, digits, symbols, hours, defaults: read("cldr-core", "defaultContent.json").defaultContent.filter((name) => known.includes(name.slice(0, name.lastIndexOf("-")))) },
    lazy: {
      periods,
      aliases,
      money: [...money].sort(),
      metazones: { uses, golden, territory, primary: of("primaryZones", "primaryZones") },
      weeks: { first: week.firstDay, minimum: week.minDays, start: week.weekendStart, end: week.weekendEnd },
      calendars: of("calendarPreferenceData"),
    },
  };
}
