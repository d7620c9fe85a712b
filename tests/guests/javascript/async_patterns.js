// Pools, retries, time-outs, queues.
const sleep = (delay, value) => new Promise((resolve) => setTimeout(resolve, delay, value));
async function pool(limit, jobs) {
  const results = [];
  let running = 0;
  let most = 0;
  const iterator = jobs.entries();
  await Promise.all(
    Array.from({ length: limit }, async () => {
      for (const [index, job] of iterator) {
        most = Math.max(most, ++running);
        results[index] = await job();
        running--;
      }
    }),
  );
  return { results, most };
}
async function retry(times, action) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action(attempt);
    } catch (error) {
      console.log(`attempt ${attempt}: ${error.message}`);
      if (attempt === times) throw new Error("gave up", { cause: error });
      await sleep(attempt);
    }
  }
}
const timeLimit = (promise, limit) => {
  let timer;
  return Promise.race([
    promise,
    new Promise((_, reject) => (timer = setTimeout(() => reject(new Error("too slow")), limit))),
  ]).finally(() => clearTimeout(timer));
};
class Queue {
  #waiting = [];
  #items = [];
  push(item) {
    if (this.#waiting.length) this.#waiting.shift()(item);
    else this.#items.push(item);
  }
  pop() {
    return this.#items.length
      ? Promise.resolve(this.#items.shift())
      : new Promise((resolve) => this.#waiting.push(resolve));
  }
}
class Mutex {
  #tail = Promise.resolve();
  run(action) {
    const outcome = this.#tail.then(action);
    this.#tail = outcome.catch(() => {});
    return outcome;
  }
}
function debounce(action, delay) {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(action, delay, ...values);
  };
}
async function main() {
  console.log(
    await pool(
      2,
      [3, 1, 2].map((delay, i) => () => sleep(delay, `job ${i}`)),
    ),
  );
  console.log(
    await retry(3, async (attempt) => {
      if (attempt < 3) throw new Error("not yet");
      return `worked at ${attempt}`;
    }),
  );
  console.log(
    await retry(2, () => Promise.reject(new Error("never"))).catch(({ message, cause }) => [message, cause.message]),
  );
  console.log(
    await timeLimit(sleep(1, "in time"), 100),
    await timeLimit(sleep(200, "late"), 5).catch(({ message }) => message),
  );
  const queue = new Queue();
  const consumed = [];
  const consumer = (async () => {
    for (let i = 0; i < 3; i++) consumed.push(await queue.pop());
  })();
  ["a", "b", "c"].forEach((item, i) => setTimeout(() => queue.push(item), i));
  await consumer;
  console.log(consumed);
  const mutex = new Mutex();
  let balance = 100;
  const spend = (amount) =>
    mutex.run(async () => {
      const before = balance;
      await sleep(1);
      balance = before - amount;
    });
  await Promise.all([spend(10), spend(20), spend(30)]);
  console.log(balance);
  const calls = [];
  const slow = debounce((value) => calls.push(value), 5);
  slow(1);
  slow(2);
  slow(3);
  await sleep(20);
  console.log(calls);
  const order = [];
  for (const value of [3, 1, 2]) await sleep(value).then(() => order.push(value));
  console.log(order, await [1, 2, 3].reduce(async (total, value) => (await total) + (await sleep(1, value)), 0));
  const cached = (
    (known) => (key) =>
      (known[key] ??= sleep(1, key.toUpperCase()))
  )({});
  console.log(cached("a") === cached("a"), await cached("a"));
  let resolveLater;
  const signal = new Promise((resolve) => (resolveLater = resolve));
  setTimeout(() => resolveLater("signalled"), 3);
  console.log(await signal);
}
main().then(
  () => console.log("end"),
  (error) => console.log("failed", error),
);
