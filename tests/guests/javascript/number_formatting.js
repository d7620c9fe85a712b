// Numbers for people, without Intl.
const thousands = (value, digits = 2) => {
  const [whole, part] = Math.abs(value).toFixed(digits).split(".");
  return (value < 0 ? "-" : "") + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? `.${part}` : "");
};
console.log(
  [0, 1, 999, 1000, 1234567.891, -9876543.21].map((value) => thousands(value)),
  thousands(1e15, 0),
  thousands(0.005, 3),
);
const bytes = (count) => {
  const units = ["B", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (count >= 1024 && unit < units.length - 1) ((count /= 1024), unit++);
  return `${count.toFixed(unit ? 1 : 0)} ${units[unit]}`;
};
console.log([0, 1023, 1024, 1536, 5 * 1024 ** 2, 3.5 * 1024 ** 3].map(bytes));
const ordinal = (n) => n + (["th", "st", "nd", "rd"][((n % 100) >> 3) ^ 1 && n % 10] || "th");
console.log([1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111].map(ordinal));
const ones =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "  twenty thirty forty fifty sixty seventy eighty ninety".split(" ").slice(0);
const words = (n) =>
  n < 20
    ? ones[n]
    : n < 100
      ? tens[Math.floor(n / 10)] + (n % 10 ? `-${ones[n % 10]}` : "")
      : n < 1000
        ? `${ones[Math.floor(n / 100)]} hundred${n % 100 ? ` and ${words(n % 100)}` : ""}`
        : `${words(Math.floor(n / 1000))} thousand${n % 1000 ? ` ${words(n % 1000)}` : ""}`;
console.log([0, 13, 42, 100, 115, 999, 1000, 12345].map(words));
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)}%`;
console.log(
  percent(1, 3),
  percent(2, 2),
  (0.1 + 0.2).toFixed(2),
  (1e21).toLocaleString === undefined,
  (12.5).toString(16),
  (255).toString(16).padStart(4, "0").toUpperCase(),
);
const bar = (value, width = 10) => "█".repeat(Math.round(value * width)).padEnd(width, "░");
console.log([0, 0.25, 0.5, 1].map((value) => `${bar(value)} ${percent(value, 1)}`).join("\n"));
const fraction = (value, limit = 1000) => {
  let [a, b, c, d] = [0, 1, 1, 0];
  let rest = value;
  for (let steps = 0; steps < 20; steps++) {
    const whole = Math.floor(rest);
    [a, b, c, d] = [c, d, whole * c + a, whole * d + b];
    if (d > limit) return [a, b];
    if (rest - whole < 1e-10) break;
    rest = 1 / (rest - whole);
  }
  return [c, d];
};
console.log(fraction(0.75), fraction(Math.PI, 200), fraction(2.5));
const cents = [19.99, 5.01, 0.1, 0.2].map((price) => Math.round(price * 100));
console.log(
  cents.reduce((x, y) => x + y) / 100,
  (19.99 + 5.01 + 0.1 + 0.2).toFixed(2),
  cents.map((c) => `${Math.floor(c / 100)}.${String(c % 100).padStart(2, "0")}`),
);
const significant = [123456, 0.00012345, 9.9999, 1e-10].map((n) => n.toPrecision(3));
console.log(
  significant,
  significant.map(Number),
  [1, 22, 333].map((n) => String(n).padStart(5, ".")).join("|"),
  [1.5, 2.25].map((n) => n.toFixed(1).padStart(6)).join("|"),
);
const bits = (value, size) => (value >>> 0).toString(2).padStart(32, "0").slice(-size);
console.log(
  bits(5, 8),
  bits(-1, 8),
  bits(0b1100 & 0b1010, 4),
  parseInt("11111011", 2),
  [..."1011"].reduce((n, bit) => n * 2 + +bit, 0),
);
const temperature = [-40, 0, 37, 100].map((c) => `${c}°C=${(c * 9) / 5 + 32}°F`);
console.log(
  temperature.join(" "),
  Math.round(72.5),
  Math.round(-72.5),
  (2.345).toFixed(2),
  (2.346).toFixed(2),
  +(2.345).toPrecision(3),
);
