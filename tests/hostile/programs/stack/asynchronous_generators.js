// An asynchronous generator that iterates itself.
// expect: exception RangeError or timeout or exception InternalError

async function* numbers() {
  yield* numbers();
}
for await (const number of numbers());
