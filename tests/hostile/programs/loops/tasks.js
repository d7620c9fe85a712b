// Tasks that always have one more to do.
// expect: timeout

const again = () => Promise.resolve().then(again);
await again();
