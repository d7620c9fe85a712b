// Building long texts and taking them apart.
let text = "";
for (let i = 0; i < 5000; i++) text += i % 10;
console.log(text.length, text.slice(0, 12), text.slice(-3), text.indexOf("90"), text.split("5").length);
const parts = Array.from({ length: 3000 }, (_, i) => `line ${i}`);
const joined = parts.join("\n");
console.log(
  joined.length,
  joined.split("\n").length,
  joined.match(/7$/gm).length,
  joined.lastIndexOf("line 1"),
  joined.replace(/\d+/g, "").replaceAll("line ", "").length,
);
const lines = `first
  second	tabbed
third  `.split("\n");
console.log(
  lines,
  lines.map((line) => line.trim()),
  lines.map((line) => line.length),
);
const reversed = (value) => [...value].reverse().join("");
console.log(
  reversed("stressed"),
  reversed("añb😀c"),
  "abc".split("").map((c) => c.charCodeAt(0)),
  String.fromCharCode(...[72, 105]),
  "A-Z".replace(/[A-Z]/g, (c) => c.toLowerCase()),
);
const table = [
  ["id", "name", "amount"],
  [1, "Ada", 10.5],
  [22, "Bob", 3],
];
const width = table[0].map((_, i) => Math.max(...table.map((row) => String(row[i]).length)));
for (const row of table)
  console.log(
    row
      .map((cell, i) => (typeof cell === "number" ? String(cell).padStart(width[i]) : cell.padEnd(width[i])))
      .join(" | "),
  );
const box = (content) => {
  const rows = content.split("\n");
  const size = Math.max(...rows.map((row) => row.length));
  return [
    `+${"-".repeat(size + 2)}+`,
    ...rows.map((row) => `| ${row.padEnd(size)} |`),
    `+${"-".repeat(size + 2)}+`,
  ].join("\n");
};
console.log(box("boxed\ntext here"));
const indent = (value, by) => value.replace(/^(?=.)/gm, " ".repeat(by));
console.log(indent("a\n\nb", 2), JSON.stringify(indent("x", 1)));
const diff = (before, after) => {
  const [a, b] = [before.split(" "), after.split(" ")];
  const table = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
  const out = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) (out.push(a[i++]), j++);
    else if (j < b.length && (i === a.length || table[i][j + 1] >= table[i + 1][j])) out.push(`+${b[j++]}`);
    else out.push(`-${a[i++]}`);
  }
  return out.join(" ");
};
console.log(diff("the quick brown fox", "the slow brown red fox"));
const markdown = (source) =>
  source
    .replace(/^# (.*)$/gm, "<h1>$1</h1>")
    .replace(/\*\*(.+?)\*\*/g, "<b>$1</b>")
    .replace(/\[(.+?)\]\((.+?)\)/g, '<a href="$2">$1</a>')
    .replace(/^- (.*)$/gm, "<li>$1</li>")
    .replace(/`(.+?)`/g, (_, code) => `<code>${code}</code>`);
console.log(markdown("# Title\n- **bold** and `code`\n- [link](http://x)"));
const soundex = (name) => {
  const codes = {
    b: 1,
    f: 1,
    p: 1,
    v: 1,
    c: 2,
    g: 2,
    j: 2,
    k: 2,
    q: 2,
    s: 2,
    x: 2,
    z: 2,
    d: 3,
    t: 3,
    l: 4,
    m: 5,
    n: 5,
    r: 6,
  };
  const letters = [...name.toLowerCase()];
  const digits = letters.map((c) => codes[c] ?? (c === "h" || c === "w" ? "" : 0)).filter((d) => d !== "");
  return (
    name[0].toUpperCase() +
    digits
      .filter((d, i) => d && d !== digits[i - 1])
      .slice(codes[letters[0]] ? 1 : 0)
      .join("") +
    "000"
  ).slice(0, 4);
};
console.log(["Robert", "Rupert", "Ashcraft", "Tymczak"].map(soundex));
const pig = (sentence) =>
  sentence
    .replace(/\b([^aeiou\s]*)([aeiou]\w*)\b/gi, (_, head, tail) => (head ? `${tail}${head}ay` : `${tail}way`))
    .toLowerCase();
console.log(
  pig("Hello apple string"),
  "the cat sat".split(" ").map((w) => w.length),
  "mississippi".replace(/(.)(?=.*\1)/g, ""),
  "a1b22".replace(/\d+/g, (n) => n * 2),
  "x".concat(...["y", "z"]),
  "abcabc".search(/c/),
  "tEST".charAt(0).toUpperCase() + "tEST".slice(1).toLowerCase(),
);
