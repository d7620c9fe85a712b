// A timer without a reference runs as long as something else keeps the program running, and never keeps it running itself,
// not even if its callback takes longer than its interval.
const busy = (milliseconds) => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};
let calls = 0;
setInterval(() => {
  calls++;
  busy(3);
}, 1).unref();
setTimeout(() => console.log(calls > 0 ? "called while the program waits" : "never called"), 30);
const twice = setInterval(() => {}, 1);
twice.unref();
twice.ref();
setTimeout(() => {
  clearInterval(twice);
  console.log("cleared");
}, 10);
process.on("exit", () => console.log("ends"));
