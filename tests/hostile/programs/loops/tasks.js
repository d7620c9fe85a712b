// Tasks that always have one more to do.
// expect: timeout or memory or exception InternalError

const again = () => Promise.resolve().then(again);
await again();
