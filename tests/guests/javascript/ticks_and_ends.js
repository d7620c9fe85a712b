// A tick that throws, jobs that a listener for the end leaves behind, and output as the end of a pipeline.
const { Readable } = require("stream");
const { pipeline } = require("stream/promises");
process.on("uncaughtException", (error) => console.log("uncaught", error.message));
process.nextTick(() => {
  process.nextTick(() => console.log("a tick of a tick"));
  throw new Error("one");
});
process.nextTick(() => console.log("the tick behind"));
process.nextTick(() => {
  throw new Error("two");
});
process.nextTick(() => console.log("the last tick"));
let ends = 0;
process.on("beforeExit", () => {
  ends += 1;
  console.log("beforeExit", ends);
  Promise.resolve()
    .then(() => console.log("a job of the end", ends))
    .then(() => {
      if (ends === 1) setTimeout(() => console.log("a timer of the end"), 1);
    });
  process.nextTick(() => console.log("a tick of the end", ends));
});
process.on("exit", () => console.log("exit", ends));
setTimeout(() => {
  pipeline(Readable.from(["piped ", "text\n"]), process.stdout, { end: false }).then((value) => {
    console.log("settled", value);
    console.log("and goes on");
  });
}, 5);
