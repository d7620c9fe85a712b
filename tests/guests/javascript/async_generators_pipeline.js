// Streams made of async generators.
const tick = () => new Promise((resolve) => setTimeout(resolve, 1));
async function* source(count) {
  for (let n = 1; n <= count; n++) {
    await tick();
    yield n;
  }
}
async function* map(stream, f) {
  for await (const value of stream) yield f(value);
}
async function* filter(stream, test) {
  for await (const value of stream) if (await test(value)) yield value;
}
async function* take(stream, count) {
  if (count <= 0) return;
  for await (const value of stream) {
    yield value;
    if (--count === 0) return;
  }
}
async function* batch(stream, size) {
  let list = [];
  for await (const value of stream) {
    list.push(value);
    if (list.length === size) {
      yield list;
      list = [];
    }
  }
  if (list.length) yield list;
}
async function* merge(...streams) {
  const waiting = new Map(
    streams.map((stream) => {
      const iterator = stream[Symbol.asyncIterator]();
      return [iterator, iterator.next().then((step) => ({ iterator, step }))];
    }),
  );
  while (waiting.size) {
    const { iterator, step } = await Promise.race(waiting.values());
    if (step.done) waiting.delete(iterator);
    else {
      waiting.set(
        iterator,
        iterator.next().then((step) => ({ iterator, step })),
      );
      yield step.value;
    }
  }
}
const collect = async (stream) => {
  const all = [];
  for await (const value of stream) all.push(value);
  return all;
};
async function main() {
  console.log(
    await collect(
      take(
        map(
          filter(source(100), async (n) => n % 3 === 0),
          (n) => n * n,
        ),
        4,
      ),
    ),
  );
  console.log(await collect(batch(source(7), 3)));
  console.log(
    (
      await collect(
        merge(
          source(3),
          map(source(2), (n) => n * 10),
        ),
      )
    ).sort((a, b) => a - b),
  );
  const closing = (async function* () {
    try {
      yield* source(10);
    } finally {
      await tick();
      console.log("closed after waiting");
    }
  })();
  for await (const value of closing) if (value === 2) break;
  const failing = (async function* () {
    yield 1;
    throw new Error("source failed");
  })();
  console.log(await collect(map(failing, (n) => n)).catch((error) => error.message));
  const gen = source(3);
  console.log(await Promise.all([gen.next(), gen.next(), gen.next(), gen.next()]));
  const queue = [];
  let wake;
  const channel = {
    push(value) {
      queue.push(value);
      wake?.();
    },
    close() {
      this.closed = true;
      wake?.();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (queue.length) yield queue.shift();
        if (this.closed) return;
        await new Promise((resolve) => (wake = resolve));
      }
    },
  };
  setTimeout(() => channel.push("a"), 2);
  setTimeout(() => {
    channel.push("b");
    channel.push("c");
  }, 4);
  setTimeout(() => channel.close(), 6);
  console.log(await collect(channel));
  const asyncFrom = async function* (list) {
    for (const value of list) yield value;
  };
  console.log(await collect(asyncFrom([Promise.resolve(1), 2])), await (await asyncFrom([5]).next()).value);
}
main().catch((error) => console.log("failed", error.message));
