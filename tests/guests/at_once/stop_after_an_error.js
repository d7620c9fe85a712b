// One failure stops the rest of the group.
const controller = new AbortController();
const forecast = (city) => call_tool_async("weather.forecast", { city }, { signal: controller.signal });
const calls = ["Lima", "Vostok", "Atlantis"].map(forecast);
let failure;
try {
  await Promise.all(calls);
} catch (error) {
  failure = error.message.split(": ").at(-1);
  controller.abort(new Error("the group has failed"));
}
const outcomes = await Promise.allSettled(calls);
await call_tool_async("log.write", { line: failure });
result = [failure, outcomes.map(({ reason }) => reason.message.split(": ").at(-1))];
