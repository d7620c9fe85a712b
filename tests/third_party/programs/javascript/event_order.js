console.log("1");
setTimeout(() => console.log("timeout 0"), 0);
Promise.resolve().then(() => console.log("micro 1")).then(() => console.log("micro 2"));
queueMicrotask(() => console.log("queued"));
(async () => { console.log("async start"); await null; console.log("async after"); })();
process.nextTick?.(() => console.log("tick"));
setImmediate?.(() => setTimeout(() => console.log("last"), 5));
console.log("2");
