// Timers that set the next one.
// expect: timeout

const again = () => setTimeout(again, 0);
again();
await new Promise(() => {});
