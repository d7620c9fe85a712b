// for await, async generators, async iterators.
const wait = (value) => new Promise((resolve) => setTimeout(resolve, 1, value));
async function* pages(count) {
  try {
    for (let page = 1; page <= count; page++) yield await wait({ page, items: [page * 10, page * 10 + 1] });
  } finally {
    console.log("no more pages");
  }
}
async function main() {
  for await (const { page, items } of pages(2)) console.log(page, items);
  for await (const { page } of pages(5)) {
    if (page === 2) break;
    console.log("page", page);
  }
  for await (const value of [wait("a"), "b", Promise.resolve("c")]) console.log(value);
  const stream = {
    [Symbol.asyncIterator]() {
      let left = 3;
      return { next: async () => (left-- > 0 ? { value: left, done: false } : { done: true }) };
    },
  };
  const seen = [];
  for await (const value of stream) seen.push(value);
  console.log(seen);
  async function* delegating() {
    const result = yield* inner();
    yield result;
  }
  async function* inner() {
    yield 1;
    yield Promise.resolve(2);
    return "inner result";
  }
  const all = [];
  for await (const value of delegating()) all.push(value);
  console.log(all);
  const generator = pages(3);
  console.log(await generator.next(), await generator.return("stopped"), await generator.next());
  try {
    for await (const value of (async function* () {
      yield 1;
      throw new Error("broken stream");
    })())
      console.log(value);
  } catch (error) {
    console.log(error.message);
  }
  try {
    for await (const value of [Promise.reject(new Error("rejected item"))]) console.log(value);
  } catch (error) {
    console.log(error.message);
  }
}
main().then(() => console.log("end"));
