// Plurals, lists, distances in time, names and the order of texts, one case to a line.
const locales = "en en-GB de de-AT fr fr-CA es es-MX it pt pt-PT nl ja zh zh-TW ko xx".split(" ");
const show = (name, make) => {
  try {
    console.log(`${name}: ${JSON.stringify(make())}`);
  } catch (error) {
    console.log(`${name}: ${error.name}: ${error.message}`);
  }
};
for (const locale of locales) {
  for (const type of ["cardinal", "ordinal"]) {
    const rules = new Intl.PluralRules(locale, { type });
    show(`${locale} ${type}`, () => [0, 1, 1.5, 2, 3, 4, 5, 11, 21, 22, 23, 101, 1e6, -1, NaN].map((number) => rules.select(number)));
    show(`${locale} ${type} options`, () => rules.resolvedOptions());
  }
  for (const type of ["conjunction", "disjunction", "unit"])
    for (const style of ["long", "short", "narrow"]) {
      const format = new Intl.ListFormat(locale, { type, style });
      show(`${locale} ${type} ${style}`, () => [[], ["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"], ["x", "iglesia"], ["x", "ocho"], ["x", "hielo"]].map((list) => format.format(list)));
      show(`${locale} ${type} ${style} parts`, () => format.formatToParts(["a", "b", "c"]));
    }
  for (const style of ["long", "short", "narrow"])
    for (const numeric of ["always", "auto"]) {
      const format = new Intl.RelativeTimeFormat(locale, { style, numeric });
      for (const unit of ["second", "minute", "hour", "day", "week", "month", "quarter", "years"])
        show(`${locale} ${style} ${numeric} ${unit}`, () => [-3, -2, -1, -0, 0, 1, 2, 5.5, 1234].map((number) => format.format(number, unit)));
    }
  for (const style of ["long", "short", "narrow"]) {
    const names = (type, codes) => {
      const format = new Intl.DisplayNames(locale, { type, style });
      show(`${locale} ${style} ${type}`, () => codes.map((code) => format.of(code)));
    };
    names("language", ["en", "de", "en-US", "zh-Hant", "pt-BR", "sr-Latn", "es-419", "fr-CH"]);
    names("region", ["US", "DE", "JP", "419", "HK"]);
    names("script", ["Latn", "Cyrl", "Hant"]);
    names("currency", ["USD", "EUR", "JPY"]);
    names("dateTimeField", ["year", "month", "weekday", "hour"]);
    names("calendar", ["gregory", "japanese"]);
  }
}

const words = "Zebra zebra Äpfel Apfel apfel äpfel Öl Oel öde oder straße strasse Strasse été ete étage côte coté cote côté ñandú nube nzz llama lluvia luz chico cosa A a B b á Á a1 a10 a2 _x -y 10 9 1 日本 日本語 中国 アメリカ あめりか 가나 나라 Ω ω 😀 é é".split(" ");
for (const locale of locales)
  for (const options of [
    undefined,
    { numeric: true },
    { sensitivity: "base" },
    { sensitivity: "accent" },
    { sensitivity: "case" },
    { caseFirst: "upper" },
    { caseFirst: "lower", numeric: true },
    { ignorePunctuation: true },
  ]) {
    const collator = new Intl.Collator(locale, options);
    show(`${locale} sorted ${JSON.stringify(options)}`, () => [...words].sort(collator.compare).join(" "));
    show(`${locale} equal ${JSON.stringify(options)}`, () => [["a", "á"], ["a", "A"], ["ae", "ä"], ["ss", "ß"], ["a-b", "ab"], ["a2", "a10"]].map(([one, other]) => collator.compare(one, other)));
    show(`${locale} collator ${JSON.stringify(options)}`, () => collator.resolvedOptions());
  }
show("phone book", () => ["Müller", "Mueller", "Muller", "Ofen", "Öfen"].sort(new Intl.Collator("de-u-co-phonebk").compare));
show("traditional", () => ["chico", "cosa", "dado", "llama", "luz"].sort(new Intl.Collator("es-u-co-trad").compare));
show("strokes", () => ["中", "一", "龍", "人", "国"].sort(new Intl.Collator("zh-u-co-stroke").compare));
show("pinyin", () => ["中", "一", "龙", "人", "国"].sort(new Intl.Collator("zh").compare));
show("localeCompare", () => ["a".localeCompare("b"), "résumé".localeCompare("resume"), "a".localeCompare("á", "en", { sensitivity: "base" }), "2".localeCompare("10", undefined, { numeric: true })]);

for (const text of ["Hello, world! It's 3.14 o'clock. Dr. Who?", "naïve café — déjà vu; e\u0301", "👩‍👩‍👧‍👦🇩🇪👍🏽 flags", "한국어 문장입니다. 두 번째!", "a\r\nb", ""])
  for (const granularity of ["grapheme", "word", "sentence"]) {
    const segments = new Intl.Segmenter("en", { granularity }).segment(text);
    show(`${granularity} of ${text}`, () => [...segments].map(({ segment, index, isWordLike }) => [segment, index, isWordLike]));
    show(`${granularity} of ${text} at 3`, () => segments.containing(3)?.segment);
  }
for (const tag of ["en-us", "DE-at", "zh-hant-tw", "iw", "en-u-nu-arab-ca-buddhist", "sl-rozaj-biske", "en_US", "", "x"]) show(`canonical ${tag}`, () => Intl.getCanonicalLocales(tag));
for (const tag of ["en", "de-AT", "zh-TW", "ja-u-hc-h12"]) {
  const locale = new Intl.Locale(tag);
  show(`locale ${tag}`, () => [locale.baseName, locale.language, locale.region, locale.hourCycle, locale.maximize().toString(), locale.minimize().toString(), locale.weekInfo, locale.textInfo]);
}
for (const key of ["unit", "currency", "timeZone", "numberingSystem"]) show(`supported ${key}`, () => Intl.supportedValuesOf(key));
show("arrays", () => [[1234.5, new Date(0), null, "x"].toLocaleString("de"), new Float64Array([1234.5, 2]).toLocaleString("fr"), 12345678901234567890n.toLocaleString("en")]);
show("case", () => ["Istanbul".toLocaleUpperCase("tr"), "IŞIK".toLocaleLowerCase("tr"), "straße".toLocaleUpperCase("de"), "ΑΣ".toLocaleLowerCase()]);
