// Dates and times in every locale and many ways, one to a line.
const locales = "en en-GB en-CA en-AU en-IN de de-AT de-CH fr fr-CA fr-CH es es-MX it it-CH pt pt-PT nl nl-BE ja zh zh-TW ko en-u-hc-h23 xx".split(" ");
const zones = "UTC America/New_York Europe/Berlin Asia/Tokyo Asia/Kolkata Europe/London Australia/Sydney America/Los_Angeles Asia/Shanghai America/Sao_Paulo Asia/Kathmandu US/Eastern".split(" ");
const times = [Date.UTC(2026, 10, 23, 16, 5, 9, 123), Date.UTC(2024, 1, 29), Date.UTC(2025, 6, 4, 12), Date.UTC(1999, 11, 31, 23, 59, 59), Date.UTC(2030, 2, 31, 0, 59, 1), Date.UTC(1969, 6, 20, 20, 17), -62135596800000];
const styles = ["full", "long", "medium", "short"];
const ways = [
  undefined,
  ...styles.map((dateStyle) => ({ dateStyle })),
  ...styles.map((timeStyle) => ({ timeStyle })),
  ...styles.map((style) => ({ dateStyle: style, timeStyle: style })),
  { dateStyle: "long", timeStyle: "short" },
  { hour12: true, timeStyle: "short" },
  { hour12: false, hour: "2-digit", minute: "2-digit" },
  { hourCycle: "h23", hour: "numeric", minute: "2-digit", second: "2-digit" },
  { hourCycle: "h11", hour: "numeric" },
  { year: "numeric", month: "long", day: "numeric" },
  { weekday: "long", year: "numeric", month: "long", day: "numeric" },
  { weekday: "short", month: "short", day: "numeric" },
  { year: "numeric", month: "2-digit", day: "2-digit" },
  { year: "2-digit", month: "numeric", day: "numeric" },
  { year: "numeric", month: "short" },
  { month: "long" },
  { month: "narrow", day: "2-digit" },
  { weekday: "narrow" },
  { weekday: "long" },
  { day: "numeric" },
  { year: "numeric" },
  { era: "short", year: "numeric" },
  { era: "long", year: "numeric", month: "long", day: "numeric" },
  { hour: "numeric" },
  { hour: "2-digit", minute: "2-digit" },
  { hour: "numeric", minute: "numeric", second: "numeric", fractionalSecondDigits: 3 },
  { minute: "2-digit", second: "2-digit" },
  { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
  { weekday: "long", hour: "numeric", minute: "2-digit", timeZoneName: "short" },
  { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric", timeZoneName: "long" },
  { hour: "numeric", dayPeriod: "long" },
  { dayPeriod: "short", hour: "numeric", minute: "2-digit", hour12: true },
  ...["shortOffset", "longOffset", "shortGeneric", "longGeneric"].map((timeZoneName) => ({ hour: "numeric", timeZoneName })),
];
ways.forEach((way, index) => {
  for (const locale of locales) {
    const timeZone = zones[(index * 5 + locale.length + locale.charCodeAt(locale.length - 1)) % zones.length];
    const name = `${locale} ${timeZone} ${JSON.stringify(way)}`;
    const format = new Intl.DateTimeFormat(locale, { ...way, timeZone });
    console.log(`${name}: ${times.map((time) => format.format(time)).join(" | ")}`);
    console.log(`${name} parts: ${format.formatToParts(times[0]).map(({ type, value }) => `${type}=${value}`).join(" ")}`);
    console.log(`${name} options: ${JSON.stringify(format.resolvedOptions())}`);
    for (const [unit, length] of Object.entries({ minutes: 3e6, hours: 4e7, days: 3e8, months: 6e9, years: 4e10 }))
      console.log(`${name} range of ${unit}: ${format.formatRange(times[0], times[0] + length)}`);
  }
});

const date = new Date(times[0]);
for (const locale of [undefined, ...locales]) {
  console.log(`${locale} methods: ${date.toLocaleString(locale)} | ${date.toLocaleDateString(locale)} | ${date.toLocaleTimeString(locale)}`);
  console.log(`${locale} methods with options: ${date.toLocaleDateString(locale, { hour: "numeric" })} | ${date.toLocaleTimeString(locale, { month: "long" })}`);
}
const attempts = [
  () => new Intl.DateTimeFormat("en", { timeZone: "Mars/Olympus" }),
  () => new Intl.DateTimeFormat("en", { dateStyle: "full", year: "numeric" }),
  () => new Intl.DateTimeFormat("en", { month: "longest" }),
  () => new Intl.DateTimeFormat("en").format(NaN),
  () => new Intl.DateTimeFormat("en").formatRange(0),
  () => new Date().toLocaleDateString("en", { timeStyle: "short" }),
  () => new Date(NaN).toLocaleString(),
  () => Intl.DateTimeFormat("en").resolvedOptions().timeZone,
];
for (const attempt of attempts)
  try {
    console.log(`${attempt}: ${attempt()}`);
  } catch (error) {
    console.log(`${attempt}: ${error.name}: ${error.message}`);
  }
