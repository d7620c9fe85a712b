const ask = async (number) => [number, await call_tool('ask', { number }), await call_tool('double', { number })];
await Promise.all([0, 1, 2].map(ask))
