// The ways to wait for several things at once.
const log = [];
const meet = (name) => call_tool_async("meet", { of: 3, name });
log.push(await Promise.all(["a", "b", "c"].map(meet)));
log.push((await Promise.allSettled(["d", "e", "f"].map(meet))).map((one) => one.value));
const any = ["g", "h", "i"].map(meet);
await Promise.any(any);
log.push((await Promise.all(any)).length);
const started = ["j", "k", "l"].map((name) => tools.meet.start({ of: 3, name }));
log.push([await started[0], await started[1], await started[2]]);
async function* all() {
  for (const call of ["m", "n", "o"].map(meet)) yield await call;
}
const seen = [];
for await (const name of all()) seen.push(name);
log.push(seen);
result = log;
