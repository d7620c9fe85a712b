// Parsing and writing CSV, grouping and joining.
const csv = `id,name,department,salary
1,"Smith, Ann",Engineering,5200
2,Bob,Sales,4100
3,"Carol ""CJ"" Jones",Engineering,6100
4,Dan,Sales,3900
5,Eve,,4500
`;
function parse(text) {
  const rows = [[""]];
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (quoted && c === '"' && text[at + 1] === '"') rows.at(-1)[rows.at(-1).length - 1] += text[++at];
    else if (c === '"') quoted = !quoted;
    else if (!quoted && c === ",") rows.at(-1).push("");
    else if (!quoted && c === "\n") rows.push([""]);
    else rows.at(-1)[rows.at(-1).length - 1] += c;
  }
  const [head, ...body] = rows.filter((row) => row.length > 1);
  return body.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}
const people = parse(csv).map((row) => ({
  ...row,
  id: +row.id,
  salary: +row.salary,
  department: row.department || "None",
}));
console.log(people);
const groups = {};
for (const person of people) (groups[person.department] ??= []).push(person);
for (const [department, members] of Object.entries(groups)) {
  const salaries = members.map(({ salary }) => salary);
  console.log(
    department,
    members.length,
    salaries.reduce((a, b) => a + b),
    (salaries.reduce((a, b) => a + b) / members.length).toFixed(1),
    Math.max(...salaries),
  );
}
const departments = [
  { department: "Engineering", floor: 3 },
  { department: "Sales", floor: 1 },
];
const joined = people.map((person) => ({
  ...person,
  ...departments.find(({ department }) => department === person.department),
}));
console.log(joined.map(({ name, floor }) => `${name}@${floor ?? "?"}`));
const quote = (cell) => (/[",\n]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
console.log(
  people
    .filter(({ salary }) => salary > 4200)
    .map(({ id, name }) => [id, name].map(quote).join(","))
    .join("\n"),
);
const pivot = people.reduce((table, { department, salary }) => {
  const band = salary >= 5000 ? "high" : "low";
  table[department] ??= { high: 0, low: 0 };
  table[department][band]++;
  return table;
}, {});
console.log(
  pivot,
  people.toSorted((a, b) => b.salary - a.salary).map(({ id }) => id),
  people.some(({ department }) => department === "None"),
);
const index = new Map(people.map((person) => [person.id, person]));
console.log(index.get(3).name, [...index.keys()], people.map(({ salary, ...rest }) => rest)[1]);
const average = people.reduce((sum, { salary }, _, { length }) => sum + salary / length, 0);
console.log(
  average,
  people.filter(({ salary }) => salary > average).length,
  JSON.stringify(people.map(({ name, salary }) => [name.split(/[, ]/)[0], salary])),
);
