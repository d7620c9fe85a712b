const log = `2024-01-15 ERROR [db] timeout after 30s
2024-01-16 INFO [web] started
2024-02-01 ERROR [web] crashed`;
const line = /^(?<date>\d{4}-\d{2}-\d{2}) (?<level>[A-Z]+) \[(?<part>\w+)\] (?<message>.*)$/gm;
for (const { groups, index } of log.matchAll(line)) console.log(index, groups.date, groups.level, groups.part, groups.message);
console.log("camelCaseString".replace(/([A-Z])/g, "_$1").toLowerCase());
console.log("snake_case_string".replace(/_(\w)/g, (_, c) => c.toUpperCase()));
console.log("1234567.891".replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ","));
console.log("a1b22c333".split(/(\d+)/), "x".match(/y/), /(\d+)-\1/.test("12-12"));
const sticky = /foo/y; sticky.lastIndex = 3;
console.log(sticky.test("barfoo"), sticky.lastIndex, /\p{Lu}\p{Ll}+/u.exec("été Émile")[0]);
console.log("2020-12-25".replace(/(?<y>\d+)-(?<m>\d+)-(?<d>\d+)/, "$<d>/$<m>/$<y>"), "aaa".replaceAll("a", "$&b"));
console.log([..."a-b_c".matchAll(/[-_]/g)].map((m) => m.index), /[\w-]+@[\w.]+/.exec("to: me@example.com now"));
