// @exec: {"yield_time_ms": 10000, "max_output_tokens": 40}
// As Codex's code mode has it.
const names = ALL_TOOLS.map(({ name }) => name).filter((name) => name.includes("_"));
text(names);
store("seen", { names: names.length });
notify(load("seen"));
await yield_control();
const outcomes = await Promise.allSettled([tools.meet({ of: 2, name: "a" }), tools.meet({ of: 2, name: "b" }), tools.fail({ name: "c" })]);
text(outcomes.map(({ status, value, reason }) => value ?? `${status}: ${reason.kind}`));
text("this is longer than what remains: " + "x".repeat(200));
text("never seen");
exit();
text("not reached");
