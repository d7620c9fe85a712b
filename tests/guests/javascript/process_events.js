// What a program hears of its own end.
process.on("exit", (code) => console.log("exit", code, process.exitCode));
process.once("beforeExit", (code) => {
  console.log("before exit", code);
  setTimeout(() => console.log("one more thing"), 1);
});
process.on("uncaughtException", (error, origin) => console.log("uncaught", error.message, origin));
setTimeout(() => {
  throw new Error("from a timer");
}, 1);
setTimeout(() => Promise.reject(new Error("of a promise")), 5);
process.nextTick((...values) => console.log("tick", ...values), 1, 2);
console.log(process.listenerCount("exit"), process.emit("unheard"));
setTimeout(() => console.log("goes on"), 10);
