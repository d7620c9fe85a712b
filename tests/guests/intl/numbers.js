// Numbers in every locale and many ways, one to a line.
const locales = "en en-GB en-IN en-CA de de-AT de-CH fr fr-CA fr-CH es es-MX es-AR it it-CH pt pt-PT nl nl-BE ja zh zh-TW ko en-u-nu-arab de-u-nu-deva xx".split(" ");
const money = (currency, more) => ({ style: "currency", currency, ...more });
const unit = (name, more) => ({ style: "unit", unit: name, ...more });
const ways = [
  undefined,
  { style: "percent" },
  { style: "percent", minimumFractionDigits: 1 },
  ...["USD", "EUR", "JPY", "GBP", "CHF", "BRL", "INR", "KWD", "CNY", "XTS"].map((currency) => money(currency)),
  money("USD", { currencyDisplay: "code" }),
  money("USD", { currencyDisplay: "name" }),
  money("CAD", { currencyDisplay: "narrowSymbol" }),
  money("EUR", { currencySign: "accounting", signDisplay: "exceptZero" }),
  money("EUR", { notation: "compact" }),
  money("USD", { minimumFractionDigits: 0 }),
  money("JPY", { notation: "compact", compactDisplay: "long" }),
  ...["kilometer", "liter", "celsius", "megabyte", "percent", "hour", "kilometer-per-hour", "liter-per-day"].flatMap((name) =>
    ["short", "long", "narrow"].map((unitDisplay) => unit(name, { unitDisplay })),
  ),
  { notation: "compact" },
  { notation: "compact", compactDisplay: "long" },
  { notation: "compact", maximumFractionDigits: 1 },
  { notation: "scientific" },
  { notation: "engineering", maximumSignificantDigits: 3 },
  { signDisplay: "always" },
  { signDisplay: "negative", maximumFractionDigits: 0 },
  { useGrouping: false },
  { useGrouping: "min2" },
  { minimumIntegerDigits: 4, minimumFractionDigits: 2 },
  { maximumSignificantDigits: 3 },
  { minimumSignificantDigits: 4, maximumSignificantDigits: 6 },
  ...["ceil", "floor", "expand", "trunc", "halfCeil", "halfFloor", "halfExpand", "halfTrunc", "halfEven"].map((roundingMode) => ({
    roundingMode,
    maximumFractionDigits: 1,
  })),
  { roundingIncrement: 5, minimumFractionDigits: 2, maximumFractionDigits: 2 },
  { roundingPriority: "morePrecision", maximumFractionDigits: 2, maximumSignificantDigits: 3 },
  { roundingPriority: "lessPrecision", maximumFractionDigits: 2, maximumSignificantDigits: 3 },
  { trailingZeroDisplay: "stripIfInteger", minimumFractionDigits: 2 },
];
const values = [0, -0, 1, -1, 0.05, 1.005, 2.5, -1234.5, 12345.678, 999999, 1e6, 1234567890.125, 1e21, NaN, -Infinity, 12345678901234567890n, "0.1234567890123456789"];

for (const locale of locales)
  for (const way of ways) {
    const format = new Intl.NumberFormat(locale, way);
    console.log(`${locale} ${JSON.stringify(way)}: ${values.map((value) => format.format(value)).join(" | ")}`);
    console.log(`${locale} ${JSON.stringify(way)} parts: ${format.formatToParts(-1234.5).map(({ type, value }) => `${type}=${value}`).join(" ")}`);
    console.log(`${locale} ${JSON.stringify(way)} range: ${[[3, 5], [-3, 5], [2, 2], [1000, 2e6]].map(([low, high]) => format.formatRange(low, high)).join(" | ")}`);
    console.log(`${locale} ${JSON.stringify(way)} options: ${JSON.stringify(format.resolvedOptions())}`);
  }

const attempts = [
  () => new Intl.NumberFormat("en", { style: "currency" }),
  () => new Intl.NumberFormat("en", { style: "currency", currency: "DOLLAR" }),
  () => new Intl.NumberFormat("en", { style: "unit" }),
  () => new Intl.NumberFormat("en", { style: "unit", unit: "parsec" }),
  () => new Intl.NumberFormat("en", { minimumFractionDigits: 101 }),
  () => new Intl.NumberFormat("en", { minimumFractionDigits: 3, maximumFractionDigits: 2 }),
  () => new Intl.NumberFormat("en", { notation: "short" }),
  () => new Intl.NumberFormat("en_US"),
  () => new Intl.NumberFormat("en", null),
  () => new Intl.NumberFormat().formatRange(1),
  () => (1).toLocaleString("en", { style: "money" }),
  () => Intl.NumberFormat.prototype.formatToParts.call({}),
];
for (const attempt of attempts)
  try {
    console.log(attempt());
  } catch (error) {
    console.log(`${attempt}: ${error.name}: ${error.message}`);
  }
