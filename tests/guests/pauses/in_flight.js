// A call that is not awaited yet, and one that is answered later.
const pending = call_tool_async('long', {});
const answer = call_tool('ask', { number: 1 });
[answer, (await pending).length]
