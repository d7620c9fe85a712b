// An asynchronous generator that iterates itself. Ends in RangeError or Timeout or InternalError.
async function* numbers() {
  yield* numbers();
}
for await (const number of numbers());
