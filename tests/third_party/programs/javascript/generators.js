function* fibonacci() {
  let [a, b] = [0n, 1n];
  while (true) { yield a; [a, b] = [b, a + b]; }
}
function* take(n, iterable) { for (const value of iterable) { if (n-- <= 0) return; yield value; } }
console.log([...take(15, fibonacci())].join(" "));
const tree = { value: 1, children: [{ value: 2, children: [{ value: 3 }] }, { value: 4 }] };
function* walk(node, depth = 0) {
  const reply = yield [depth, node.value];
  if (reply === "stop") return "stopped";
  for (const child of node.children ?? []) yield* walk(child, depth + 1);
}
for (const [depth, value] of walk(tree)) console.log("  ".repeat(depth) + value);
const it = walk(tree);
console.log(it.next(), it.next("stop"), it.next());
const closing = (function* () { try { yield 1; yield 2; } finally { console.log("closed"); } })();
for (const v of closing) { console.log(v); break; }
console.log(Object.prototype.toString.call(it), typeof it[Symbol.iterator]);
