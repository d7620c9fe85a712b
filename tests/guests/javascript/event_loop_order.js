// Which waits come first.
const log = [];
setTimeout(() => log.push("timeout 10"), 10);
setTimeout(() => log.push("timeout 5"), 5);
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
let count = 0;
const interval = setInterval(() => {
  log.push(`interval ${++count}`);
  if (count === 3) {
    clearInterval(interval);
    setTimeout(() => console.log(log.join("\n")), 10);
  }
}, 20);
setTimeout(() => {
  log.push("outer");
  Promise.resolve().then(() => log.push("inner microtask"));
}, 12);
setTimeout(() => log.push("after outer"), 14);
log.push("synchronous");
