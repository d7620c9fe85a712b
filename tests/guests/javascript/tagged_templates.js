// Little languages in templates.
const sql = (strings, ...values) => ({ text: strings.reduce((text, part, i) => `${text}$${i}${part}`), values });
console.log(sql`SELECT * FROM t WHERE a = ${1} AND b IN (${[2, 3]})`);
const dedent = (strings, ...values) => {
  const text = String.raw({ raw: strings }, ...values);
  const lines = text.replace(/^\n/, "").trimEnd().split("\n");
  const indent = Math.min(...lines.filter((l) => l.trim()).map((l) => l.match(/^ */)[0].length));
  return lines.map((l) => l.slice(indent)).join("\n");
};
console.log(dedent`
    function ${"name"}() {
      return ${1 + 1};
    }
`);
const html = (strings, ...values) =>
  strings.raw.reduce(
    (out, part, i) =>
      out +
      part +
      (i < values.length
        ? [values[i]]
            .flat()
            .map((v) => (v?.raw !== undefined ? v.raw : String(v).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)))
            .join("")
        : ""),
    "",
  );
console.log(
  html`<ul>
    ${["<a>", "b & c"].map((item) => ({ raw: html`<li>${item}</li>` }))}
  </ul>`,
);
const css = ([first, ...rest], ...values) =>
  rest
    .reduce(
      (out, part, i) => out + (typeof values[i] === "function" ? values[i]({ size: 12 }) : values[i]) + part,
      first,
    )
    .replace(/\s+/g, " ")
    .trim();
console.log(css`
  font-size: ${({ size }) => size}px;
  color: ${"red"};
`);
const i18n = { de: { "Hello {0}, you have {1} messages": "Hallo {0}, {1} Nachrichten" } };
const t =
  (language) =>
  (strings, ...values) => {
    const key = strings.reduce((k, part, i) => `${k}{${i - 1}}${part}`);
    return (i18n[language]?.[key] ?? key).replace(/\{(\d+)\}/g, (_, i) => values[i]);
  };
console.log(t("de")`Hello ${"Ada"}, you have ${3} messages`, t("fr")`Hello ${"Ada"}, you have ${3} messages`);
const re = (strings, ...values) =>
  new RegExp(String.raw({ raw: strings }, ...values.map((v) => v.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))), "g");
console.log("1.5 + 1x5".match(re`\d${"."}\d`), re`[a-z]+\s${"$"}`.source);
const calls = [];
const counter = (strings) => (calls.push(strings), calls.length);
const run = () => counter`same`;
console.log(run(), run(), calls[0] === calls[1], counter`same` && calls[2] === calls[0], calls[0].raw[0]);
const curry =
  (strings, ...keys) =>
  (data) =>
    strings.reduce((out, part, i) => out + part + (i < keys.length ? data[keys[i]] : ""), "");
console.log(["Ada", "Bob"].map((name, at) => curry`${"at"}: ${"name"}!`({ name, at })));
const chain = (strings) => Object.assign((more) => chain([...strings, ...more]), { result: () => strings.join("+") });
console.log(
  chain(["a"])`b``c`.result(),
  ((s) => s.length)`${1}${2}${3}`,
  new (class {
    tag([s]) {
      return s;
    }
  })().tag`method`,
);
const table = (strings, ...values) => {
  const heads = strings[0]
    .trim()
    .split(/\s*\|\s*/)
    .map((h) => h.trim())
    .filter(Boolean);
  return Array.from({ length: values.length / heads.length }, (_, row) =>
    Object.fromEntries(heads.map((head, i) => [head, values[row * heads.length + i]])),
  );
};
console.log(table`
  a | b | sum
  ${1} | ${2} | ${3}
  ${4} | ${5} | ${9}
`);
