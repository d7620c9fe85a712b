// Templates and tags.
const name = "world";
console.log(`hello ${name}, ${1 + 2}, ${[1, 2]}, ${{}} ${null} ${undefined} ${`nested ${name.toUpperCase()}`}`);
console.log(`line one
line two \`escaped\` \${not} \u{1F600} \x41 \t|`);
const tag = (strings, ...values) => strings.raw.map((text, index) => `[${text}|${values[index] ?? ""}]`).join("");
console.log(tag`a${1}b\n${2}c`);
console.log(String.raw`C:\new\table ${1 + 1}`);
const cooked = (strings) => [strings.length, strings[0], strings.raw[0], Object.isFrozen(strings)];
console.log(cooked`\n`);
const same = () => ((strings) => strings)`x`;
console.log(same() === same());
const invalid = (strings) => [strings[0], strings.raw[0]];
console.log(invalid`\unicode`);
const html = (strings, ...values) =>
  strings.reduce(
    (out, text, index) => out + text + (index < values.length ? String(values[index]).replace(/</g, "&lt;") : ""),
    "",
  );
console.log(html`<p>${"<script>"}</p>`);
const object = { toString: () => "string", valueOf: () => 42 };
console.log(`${object}`, "" + object, object + 1);
console.log(`${Symbol("s").toString()}`);
try {
  console.log(`${Symbol("s")}`);
} catch (error) {
  console.log(error.constructor.name);
}
const styles = { bold: (strings, ...v) => `**${String.raw({ raw: strings }, ...v)}**` };
console.log(styles.bold`x${1}y`);
console.log(`${(() => "called")()} ${name?.length ?? 0}`);
console.log(typeof `${1}`, `a` === "a", ``.length);
