// Texts that are spread, iterators that are printed, dates as text, and what `Promise.any` is rejected with.
// native: 20
console.log({ ..."hi", ...[7, 8, 9], ...null, ...42, ...true });
const { 0: first, ...rest } = "añ😀";
console.log(first, rest, Object.assign({}, "ab"));

const stock = new Map([
  ["apples", 3],
  ["pears", { crates: [1, 2], at: { shop: { row: { shelf: 1 } } } }],
]);
const keys = stock.keys();
console.log(keys, stock.values(), stock.entries(), stock[Symbol.iterator]());
console.log(keys.next(), keys, [...keys], keys);
stock.delete("apples");
console.log({ left: stock.keys(), deep: { er: stock.entries() }, deepest: { one: { two: stock.values() } } });

const letters = new Set("banana");
const [some, pairs] = [letters.values(), letters.entries()];
console.log(letters.keys(), pairs, new Set().values(), `${some}`);
letters.add("s");
console.log(some, some.next(), some, "copy" in some);
const { inspect } = await import("util");
console.log(inspect(new Map(Array.from({ length: 103 }, (_, number) => [number, 1])).values(), { maxArrayLength: 3 }));
console.log([new Set(["a rather long text", "one that is as long", "and one that is not"]).values()]);

const moment = new Date(Date.UTC(2024, 1, 29, 12, 30, 5, 7));
console.log(String(moment), "|", moment.toTimeString(), "|", moment.toDateString());
console.log(Date.parse(moment.toString()) === moment - 7, new Date(-62198755200000).toString());
try {
  new Date("soon").toISOString();
} catch (error) {
  console.log(error.name, error.message, `${new Date(NaN)}`);
}
try {
  Math.max(1n);
} catch (error) {
  console.log(error.name, error.message);
}

const rejected = await Promise.any([Promise.reject(new Error("one")), Promise.reject("two")]).catch((error) => error);
console.log(rejected.name, rejected.message, rejected.errors.length, rejected instanceof AggregateError, `${rejected}`);
console.log(Object.getOwnPropertyDescriptor(rejected, "message"), Object.keys(rejected));
