// The last edition of ECMAScript of which the engine has everything that can be seen from here.
const editions = {
  ES2022: [Array.prototype.at, Object.hasOwn, globalThis.AggregateError],
  ES2023: [Array.prototype.findLast, Array.prototype.toSorted, Array.prototype.with],
  ES2024: [Object.groupBy, Promise.withResolvers, ArrayBuffer.prototype.transfer, globalThis.Atomics?.waitAsync],
  ES2025: [Set.prototype.union, globalThis.Iterator?.from, Promise.try, RegExp.escape, Math.f16round],
};
const complete = [];
for (const [edition, functions] of Object.entries(editions)) {
  if (!functions.every((it) => typeof it === "function")) break;
  complete.push(edition);
}
complete.at(-1);
