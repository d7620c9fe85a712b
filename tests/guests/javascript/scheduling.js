// Timers of all kinds. Nothing here depends on how long anything takes, nor on whether a timer of 0 or an immediate is first.
const log = [];
const note = (text) => log.push(text);
async function main() {
  const sleep = (delay) => new Promise((resolve) => setTimeout(resolve, delay));
  await new Promise((resolve) => setTimeout((text) => resolve(note(text)), 0, "with argument"));
  await new Promise((resolve) => setImmediate((text) => resolve(note(text)), "immediate"));
  const handle = setTimeout(note, 5, "cancelled");
  clearTimeout(handle);
  clearTimeout(handle);
  clearTimeout(undefined);
  clearTimeout("nonsense");
  const started = [];
  const late = setTimeout(() => started.push("late"), 60_000);
  await Promise.all([2, 4, 6].map((delay) => sleep(delay).then(() => started.push(delay))));
  clearTimeout(late);
  note(started.join());
  let ticks = 0;
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      if (++ticks === 3) {
        clearInterval(timer);
        resolve();
      }
    }, 1);
  });
  note(`ticks ${ticks}`);
  const nested = [];
  await new Promise((resolve) =>
    setTimeout(() => {
      nested.push(1);
      setTimeout(() => {
        nested.push(2);
        queueMicrotask(() => {
          nested.push(3);
          resolve();
        });
      }, 1);
    }, 1),
  );
  note(nested.join(""));
  const background = setTimeout(() => note("never seen"), 100000);
  background.unref();
  note(`${typeof background.ref} ${background.hasRef()}`);
  const order = [];
  const timeout = sleep(1).then(() => order.push("timeout"));
  process.nextTick(() => order.push("tick"));
  Promise.resolve().then(() => order.push("promise"));
  queueMicrotask(() => order.push("microtask"));
  order.push("now");
  await timeout;
  note([...order].sort().join());
  try {
    setTimeout("code", 1);
  } catch (error) {
    note(error.name);
  }
  const results = await Promise.all(
    [3, 1, 2].map(async (n) => {
      await sleep(n);
      return n * 10;
    }),
  );
  note(results.join());
  const limited = await Promise.race([sleep(1).then(() => "quick"), sleep(50).then(() => "slow")]);
  note(limited);
  const throttled = (action, gap) => {
    let last = -Infinity;
    return (now) => (now - last >= gap ? ((last = now), action(now)) : "skipped");
  };
  const run = throttled((now) => `ran at ${now}`, 10);
  note([0, 5, 10, 12, 25].map(run).join("; "));
  const before = Date.now();
  await sleep(10);
  note(Date.now() - before >= 9);
}
main().then(() => console.log(log.join("\n")));
