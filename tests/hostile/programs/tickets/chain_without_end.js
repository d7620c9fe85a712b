// A promise that makes the next call when the last one has ended, without end, and a hundred like it.
// expect: timeout or host call rate

const chain = () => call_tool_async("echo", { value: 1 }).then(chain, chain);
await Promise.all(Array.from({ length: 100 }, chain));
