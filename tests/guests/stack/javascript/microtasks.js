// A microtask that queues the next one, for ever. Ends in Timeout.
const again = () => queueMicrotask(again);
again();
await new Promise(() => {});
