// Which waits come first. Those that overtake older ones do so by more than a busy machine is late.
const log = [];
setTimeout(() => log.push("timeout 60"), 60);
setTimeout(() => log.push("timeout 30"), 30);
setTimeout((a, b) => log.push(`timeout 0 ${a}${b}`), 0, "x", "y");
queueMicrotask(() => log.push("microtask"));
Promise.resolve()
  .then(() => log.push("then 1"))
  .then(() => log.push("then 2"));
(async () => {
  log.push("async begins");
  await undefined;
  log.push("async goes on");
})();
process.nextTick(() => log.push("tick"));
const cancelled = setTimeout(() => log.push("never"), 1);
clearTimeout(cancelled);
setTimeout(() => {
  log.push("outer");
  Promise.resolve().then(() => log.push("inner microtask"));
}, 90);
setTimeout(() => {
  log.push("after outer");
  let count = 0;
  const interval = setInterval(() => {
    log.push(`interval ${++count}`);
    if (count === 3) {
      clearInterval(interval);
      setTimeout(() => console.log(log.join("\n")), 1);
    }
  }, 2);
}, 90);
log.push("synchronous");
