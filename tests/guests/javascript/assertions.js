// What `assert` says, word for word.
const assert = require("node:assert");
const numbers = Array.from({ length: 40 }, (_, index) => index);
const cases = [
  () => assert.strictEqual(1, 2),
  () => assert.strictEqual("hello world foo bar baz", "hello world foo bar qux"),
  () => assert.strictEqual("a\nb\nc", "a\nb\nd"),
  () => assert.strictEqual(NaN, 0),
  () => assert.strictEqual(-0, 0),
  () => assert.strictEqual([1], [1]),
  () => assert.strictEqual(undefined, null),
  () => assert.strictEqual("a".repeat(100), "b"),
  () => assert.strictEqual(1),
  () => assert.deepStrictEqual({ a: 1, b: [1, 2, 3] }, { a: 1, b: [1, 2, 4] }),
  () => assert.deepStrictEqual(1, "1"),
  () => assert.deepStrictEqual([1, 2, 3], [1, 2, 3, 4]),
  () => assert.deepStrictEqual({ a: 1 }, { a: 1, b: 2 }),
  () => assert.deepStrictEqual(new Map([[1, 2]]), new Map([[1, 3]])),
  () => assert.deepStrictEqual(new Date(0), new Date(1)),
  () => assert.deepStrictEqual([], {}),
  () => assert.deepStrictEqual(numbers, numbers.with(20, -1)),
  () => assert.deepStrictEqual({ a: { b: { c: { d: { e: 1 } } } } }, { a: { b: { c: { d: { e: 2 } } } } }),
  () => assert.deepStrictEqual(new Set([1, { a: 1 }]), new Set([{ a: 1 }, 1])),
  () => assert.deepEqual({ a: 1 }, { a: "1" }),
  () => assert.deepEqual([1, 2], [1, 3]),
  () => assert.notStrictEqual(1, 1),
  () => assert.notDeepStrictEqual({ a: 1 }, { a: 1 }),
  () => assert.notDeepEqual([1], [1]),
  () => assert.equal(1, 2),
  () => assert.equal("abc", "abd"),
  () => assert.equal(NaN, NaN),
  () => assert.notEqual(1, 1),
  () => assert.ok(0, "a reason"),
  () => assert.ok(false, new RangeError("an error of its own")),
  () => assert.fail(),
  () => assert.fail("boom"),
  () => assert.ifError(null),
  () => assert.ifError(new Error("q")),
  () => assert.match("abc", /x/),
  () => assert.doesNotMatch("abc", /a/),
  () => assert.strict.equal(1, 3),
  () => assert.throws(() => {}),
  () => assert.throws(() => {}, RangeError, "a message"),
  () => assert.throws(() => { throw new Error("x"); }, /y/),
  () => assert.throws(() => { throw new Error("x"); }, /x/),
  () => assert.throws(() => { throw new TypeError("x"); }, RangeError),
  () => assert.throws(() => { throw new TypeError("x"); }, TypeError),
  () => assert.throws(() => { throw new Error("x"); }, { message: "y" }),
  () => assert.throws(() => { throw new Error("x"); }, { name: "Error", message: /x/ }),
  () => assert.throws(() => { throw new Error("x"); }, () => false),
  () => assert.throws("x"),
  () => assert.doesNotThrow(() => { throw new Error("x"); }),
];
for (const check of cases) {
  const described = (error) => [error.name, error.code, error.operator, error.generatedMessage, error.message].join(" | ");
  let outcome = "passes";
  try {
    check();
  } catch (error) {
    outcome = described(error);
  }
  console.log(`-- ${String(check).slice(6)}\n${outcome}`);
}
(async () => {
  await assert.rejects(Promise.reject(new TypeError("no")), TypeError);
  await assert.rejects(async () => {}, Error).catch((error) => console.log(error.message));
  await assert.doesNotReject(Promise.reject(new Error("no"))).catch((error) => console.log(error.message));
  const error = new assert.AssertionError({ actual: 1, expected: 2, operator: "strictEqual" });
  console.log(error instanceof Error, error.message, `${error}`.split("\n")[0], Object.keys(error));
})();
