// The stored data of a locale: one function for each part that is loaded separately.

// The units of ECMA-402.
const UNITS = (
  "acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare hour inch " +
  "kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile mile-scandinavian milliliter " +
  "millimeter millisecond minute month nanosecond ounce percent petabyte pound second stone terabit terabyte week yard year"
).split(" ");
const WIDTHS = ["long", "short", "narrow"];
const COUNTS = ["zero", "one", "two", "few", "many", "other"];

const pick = (object, keys) => Object.fromEntries(keys.filter((key) => object?.[key] !== undefined).map((key) => [key, object[key]]));

// `PREFIX-count-one` and similar keys, by their counts.
const counts = (object, prefix) =>
  Object.fromEntries(
    COUNTS.filter((count) => object[`${prefix}-count-${count}`] !== undefined).map((count) => [count, object[`${prefix}-count-${count}`]]),
  );

// `1000-count-one` and similar keys: for each power of ten the patterns by their counts.
function powers(patterns) {
  const result = {};
  for (const [key, pattern] of Object.entries(patterns ?? {})) {
    const match = /^(1(0+))-count-(\w+)$/.exec(key);
    if (match) ((result[match[2].length] ??= {})[match[3]] = pattern);
  }
  return result;
}

function numbers(main, locale) {
  const { numbers } = main("numbers", locale, "numbers");
  const of = (kind) => numbers[`${kind}-numberSystem-latn`];
  const currency = of("currencyFormats");
  const spacing = ({ insertBetween }) => insertBetween;
  return {
    system: numbers.defaultNumberingSystem,
    native: numbers.otherNumberingSystems.native,
    minimumGrouping: Number(numbers.minimumGroupingDigits),
    symbols: of("symbols"),
    decimal: of("decimalFormats").standard,
    percent: of("percentFormats").standard,
    scientific: of("scientificFormats").standard,
    currency: currency.standard,
    accounting: currency.accounting,
    spacing: [spacing(currency.currencySpacing.beforeCurrency), spacing(currency.currencySpacing.afterCurrency)],
    named: counts(currency, "unitPattern"),
    long: powers(of("decimalFormats").long.decimalFormat),
    short: powers(of("decimalFormats").short.decimalFormat),
    shortCurrency: powers(currency.short?.standard),
    range: of("miscPatterns").range,
    approximately: of("miscPatterns").approximately,
  };
}

function currencies(main, locale) {
  const all = main("numbers", locale, "currencies").numbers.currencies;
  const result = {};
  for (const [code, currency] of Object.entries(all)) {
    result[code] = {
      name: currency.displayName,
      symbol: currency.symbol === code ? undefined : currency.symbol,
      narrow: currency["symbol-alt-narrow"],
      ...counts(currency, "displayName"),
    };
  }
  return result;
}

function units(main, locale) {
  const { units } = main("units", locale, "units");
  const result = {};
  for (const width of WIDTHS) {
    const all = units[width];
    const kept = {};
    for (const [key, unit] of Object.entries(all)) {
      const name = key.slice(key.indexOf("-") + 1);
      const [numerator, denominator, more] = name.split("-per-");
      const sanctioned = more === undefined && UNITS.includes(numerator) && (denominator === undefined || UNITS.includes(denominator));
      if (sanctioned) kept[name] = { ...counts(unit, "unitPattern"), per: unit.perUnitPattern, name: unit.displayName };
    }
    result[width] = { per: all.per.compoundUnitPattern, units: kept };
  }
  return result;
}

const plain = (value) => (typeof value === "object" ? value._value : value);
const plainAll = (object) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !key.includes("-alt-")).map(([key, value]) => [key, plain(value)]));

const numbered = (names) => Object.values(names);
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

function dates(main, locale) {
  const { dates } = main("dates", locale, "ca-gregorian");
  const calendar = dates.calendars.gregorian;
  const each = (kind, make) =>
    Object.fromEntries(
      ["format", "stand-alone"].map((form) => [
        form,
        Object.fromEntries(Object.entries(calendar[kind][form]).map(([width, names]) => [width, make(names)])),
      ]),
    );
  const glue = (kind) => pick(calendar[kind], ["full", "long", "medium", "short"]);
  const available = plainAll(calendar.dateTimeFormats.availableFormats);
  const patterns = {};
  for (const [skeleton, pattern] of Object.entries(available)) {
    const [name, , count] = skeleton.split("-");
    if (count === undefined || count === "other") patterns[name] = pattern;
  }
  const { intervalFormatFallback, ...intervals } = calendar.dateTimeFormats.intervalFormats;
  const { standard } = calendar["dateTimeFormats-atTime"];
  // ICU's own data contains blanks that the package does not have.
  const blanks = { full: "{1} {0}", long: "{1} {0}", medium: "{1} {0}", short: "{1}\u2009{0}" };
  const { fields } = main("dates", locale, "dateFields").dates;
  const periods = (names) => Object.fromEntries(Object.entries(names).filter(([key]) => !key.includes("-alt-")));
  return {
    months: each("months", numbered),
    days: each("days", (names) => DAYS.map((day) => names[day])),
    quarters: each("quarters", numbered),
    periods: each("dayPeriods", periods),
    eras: Object.fromEntries(
      ["eraNames", "eraAbbr", "eraNarrow"].map((width) => [width, [calendar.eras[width][0], calendar.eras[width][1]]]),
    ),
    date: plainAll(calendar.dateFormats),
    time: plainAll(calendar.timeFormats),
    glue: locale.startsWith("zh-Hant") ? blanks : glue("dateTimeFormats"),
    atTime: locale.startsWith("zh-Hant") ? blanks : standard,
    available: patterns,
    append: calendar.dateTimeFormats.appendItems,
    intervals: Object.fromEntries(Object.entries(intervals).map(([skeleton, all]) => [skeleton, plainAll(all)])),
    fallback: intervalFormatFallback,
    names: Object.fromEntries(
      Object.entries({ Era: "era", Year: "year", Quarter: "quarter", Month: "month", Week: "week", "Day-Of-Week": "weekday", Day: "day", DayPeriod: "dayperiod", Hour: "hour", Minute: "minute", Second: "second", Timezone: "zone" }).map(
        ([item, field]) => [item, fields[field].displayName],
      ),
    ),
  };
}

const FIELDS = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"];

function relative(main, locale) {
  const { fields } = main("dates", locale, "dateFields").dates;
  const result = {};
  for (const field of FIELDS)
    for (const [width, ending] of [["long", ""], ["short", "-short"], ["narrow", "-narrow"]]) {
      const entry = fields[field + ending];
      const special = Object.entries(entry).filter(([key]) => key.startsWith("relative-type-"));
      (result[field] ??= {})[width] = {
        special: Object.fromEntries(special.map(([key, text]) => [key.slice("relative-type-".length), text])),
        future: counts(entry["relativeTime-type-future"] ?? {}, "relativeTimePattern"),
        past: counts(entry["relativeTime-type-past"] ?? {}, "relativeTimePattern"),
      };
    }
  return result;
}

const ZONE_KINDS = ["generic", "standard", "daylight"];
const zoneNames = ({ long, short }) => ({ ...(long && { long: pick(long, ZONE_KINDS) }), ...(short && { short: pick(short, ZONE_KINDS) }) });

function zones(main, locale) {
  const names = main("dates", locale, "timeZoneNames").dates.timeZoneNames;
  const zones = {};
  const walk = (prefix, object) => {
    for (const [name, entry] of Object.entries(object)) {
      if (entry._type !== "zone") walk(`${prefix}${name}/`, entry);
      else zones[prefix + name] = { city: entry.exemplarCity, ...zoneNames(entry) };
    }
  };
  walk("", names.zone);
  return {
    ...pick(names, ["hourFormat", "gmtFormat", "regionFormat", "regionFormat-type-daylight", "regionFormat-type-standard", "fallbackFormat"]),
    zones,
    metazones: Object.fromEntries(Object.entries(names.metazone).map(([name, entry]) => [name, zoneNames(entry)])),
  };
}

function lists(main, locale) {
  const { listPatterns } = main("misc", locale, "listPatterns");
  return Object.fromEntries(Object.entries(listPatterns).map(([key, value]) => [key.slice("listPattern-type-".length), value]));
}

function names(main, locale) {
  const of = (file, kind) => main("localenames", locale, file).localeDisplayNames[kind];
  const display = main("localenames", locale, "localeDisplayNames").localeDisplayNames;
  const { fields } = main("dates", locale, "dateFields").dates;
  return {
    languages: of("languages", "languages"),
    territories: of("territories", "territories"),
    scripts: of("scripts", "scripts"),
    variants: of("variants", "variants"),
    pattern: display.localeDisplayPattern,
    calendars: display.types?.calendar,
    fields: Object.fromEntries(
      Object.entries(fields)
        .filter(([key]) => /^(era|year|quarter|month|week|weekday|day|dayperiod|hour|minute|second|zone)(-short|-narrow)?$/.test(key))
        .map(([key, entry]) => [key, entry.displayName]),
    ),
  };
}

export const sections = { numbers, currencies, units, dates, relative, zones, lists, names };
