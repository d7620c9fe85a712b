// Reports as programs write them: money, shares, dates and sorted names for people.
// native: 20
const sales = [
  { name: "Zoë", region: "EMEA", amount: 1234567.891, share: 0.4567, at: "2026-03-29T00:30:00Z" },
  { name: "Émile", region: "AMER", amount: 98765.4, share: 0.0421, at: "2026-11-01T05:30:00Z" },
  { name: "ångström 10", region: "APAC", amount: -250, share: 0, at: "2024-02-29T12:00:00Z" },
  { name: "ångström 9", region: "APAC", amount: 0.5, share: 1, at: "1999-12-31T23:59:59Z" },
];
const usd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const eur = new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" });
for (const { name, amount, share, at } of sales.toSorted((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }))) {
  const date = new Date(at);
  console.log(
    [
      name,
      usd.format(amount),
      eur.format(amount),
      amount.toLocaleString(),
      share.toLocaleString(undefined, { style: "percent", minimumFractionDigits: 1 }),
      date.toLocaleDateString("en-US", { weekday: "short", year: "numeric", month: "long", day: "numeric" }),
      date.toLocaleString("en-GB", { timeZone: "Europe/London", dateStyle: "medium", timeStyle: "short" }),
      date.toLocaleTimeString("en-US", { timeZone: "America/New_York", hour: "2-digit", minute: "2-digit", timeZoneName: "short" }),
    ].join(" | "),
  );
}
const total = sales.reduce((sum, { amount }) => sum + amount, 0);
console.log(`total ${new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(total)}`);
console.log(new Intl.ListFormat("en", { type: "conjunction" }).format(new Set(sales.map(({ region }) => region))));

const ordinals = { one: "st", two: "nd", few: "rd", other: "th" };
const rules = new Intl.PluralRules("en", { type: "ordinal" });
console.log([1, 2, 3, 4, 11, 21, 112].map((number) => number + ordinals[rules.select(number)]).join(" "));
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
console.log([-1, 0, 1, -3].map((days) => relative.format(days, "day")).join(", "));
console.log([...new Intl.Segmenter("en", { granularity: "grapheme" }).segment("👨‍👩‍👧é🇫🇷")].length);
console.log(["z", "a", "ä", "Z", "A", "Ä"].sort(new Intl.Collator("de").compare).join(""));
console.log(["résumé", "resume"].map((word) => word.localeCompare("RESUME", "en", { sensitivity: "base" })));
console.log(Intl.DateTimeFormat().resolvedOptions().timeZone, Intl.NumberFormat().resolvedOptions().locale, typeof Intl, `${Intl}`);
console.log([1234.5, new Date(0)].toLocaleString("de"), 123456789012345678901n.toLocaleString("en-IN"));
try {
  (1).toLocaleString("en", { style: "currency" });
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
