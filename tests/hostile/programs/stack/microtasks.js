// A microtask that queues the next one, for ever.
// expect: timeout

const again = () => queueMicrotask(again);
again();
await new Promise(() => {});
