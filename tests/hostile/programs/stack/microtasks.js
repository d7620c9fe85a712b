// A microtask that queues the next one without end.
// expect: timeout

const again = () => queueMicrotask(again);
again();
await new Promise(() => {});
