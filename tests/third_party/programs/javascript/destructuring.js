const { a, b: { c = 5, ...rest } = {}, ...others } = { a: 1, b: { d: 2, e: 3 }, f: 4 };
console.log(a, c, rest, others);
let x = 1, y = 2; [x, y] = [y, x]; console.log(x, y);
function f({ name = "anon", tags: [head, ...tail] = [] } = {}, ...more) { return [name, head, tail, more]; }
console.log(f(), f({ name: "n", tags: [1, 2, 3] }, 4, 5));
const key = "dyn"; const { [key]: value = "def" } = { dyn: 0 }; console.log(value);
for (const { id, meta: { ok } = { ok: false } } of [{ id: 1 }, { id: 2, meta: { ok: true } }]) console.log(id, ok);
console.log({ ...[1, 2], ..."hi", ...null }, [...[1], ...new Set([2, 2])], Math.max(...[1, 5, 3]), a?.b?.c, null ?? "d", 0 || "o", 0 ?? "n");
let q = null; q ??= 5; q &&= q + 1; q ||= 9; console.log(q);
try { const { z } = null; } catch (error) { console.log(error.name); }
