// Words, lines, tables.
const text = `It was the best of times, it was the worst of times,
it was the age of wisdom, it was the age of foolishness.`;
const words = text.toLowerCase().match(/[a-z']+/g);
const counts = words.reduce((map, word) => map.set(word, (map.get(word) ?? 0) + 1), new Map());
console.log([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, 5), words.length, counts.size);
const wrap = (text, width) =>
  text
    .split(/\s+/)
    .reduce(
      (lines, word) =>
        lines.at(-1).length + word.length + 1 > width
          ? [...lines, word]
          : [...lines.slice(0, -1), `${lines.at(-1)} ${word}`.trim()],
      [""],
    );
console.log(wrap(text, 30).join("\n"));
const rows = [
  ["name", "price", "count"],
  ["apple", 1.5, 10],
  ["melon", 12.25, 3],
];
const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
console.log(
  rows
    .map((row) =>
      row
        .map((cell, column) =>
          typeof cell === "number" ? String(cell).padStart(widths[column]) : cell.padEnd(widths[column]),
        )
        .join(" | "),
    )
    .join("\n"),
);
const camel = (name) => name.replace(/[-_ ]+(\w)/g, (_, letter) => letter.toUpperCase());
const snake = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const title = (name) => name.replace(/\b\w/g, (letter) => letter.toUpperCase());
console.log(camel("some-long_name here"), snake("someLongName"), title("the end of it"));
const caesar = (text, shift) =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter < "a" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + shift + 26) % 26) + base);
  });
console.log(caesar("Hello, World!", 3), caesar(caesar("Hello, World!", 3), -3));
const runs = (text) => text.replace(/(.)\1*/g, (run, letter) => (run.length > 1 ? run.length : "") + letter);
const unrun = (text) => text.replace(/(\d+)(\D)/g, (_, count, letter) => letter.repeat(count));
console.log(runs("aaabbbccd"), unrun(runs("aaabbbccd")));
console.log(
  "racecar".split("").reverse().join("") === "racecar",
  [..."listen"].sort().join() === [..."silent"].sort().join(),
  "the quick brown fox"
    .split(" ")
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join(" "),
);
const template = "Dear {name}, you owe {amount:2} to {creditor.name}.";
const data = { name: "Ada", amount: 12.5, creditor: { name: "Bob" } };
console.log(
  template.replace(/\{([\w.]+)(?::(\d))?\}/g, (_, path, digits) => {
    const value = path.split(".").reduce((at, key) => at?.[key], data);
    return digits ? value.toFixed(digits) : value;
  }),
);
const slug = (text) =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
console.log(
  slug("  Crème Brûlée: the Recipe!  "),
  "a\tb".split("\t"),
  "x=1;y=2".split(";").map((pair) => pair.split("=")),
);
const escapeHtml = (text) =>
  text.replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);
console.log(
  escapeHtml(`<a href="x">Tom & Jerry's</a>`),
  "2 + 3 * 4".split(" "),
  text.split("\n").map((line) => line.length),
  [...text].filter((c) => "aeiou".includes(c)).length,
);
const morse = { a: ".-", b: "-...", s: "...", o: "---" };
console.log(
  [..."sos"].map((letter) => morse[letter]).join(" "),
  "01101000 01101001"
    .split(" ")
    .map((bits) => String.fromCharCode(parseInt(bits, 2)))
    .join(""),
  [..."hi"].map((c) => c.charCodeAt(0).toString(2).padStart(8, "0")).join(" "),
);
