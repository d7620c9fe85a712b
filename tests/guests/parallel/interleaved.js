// Twenty rounds of four workers, who make three equal calls each, and log in which order they go on.
const log = [];

async function worker(name) {
  for (let step = 0; step < 3; step++) {
    const answer = await call_tool_async("next", { run: RUN, last: step === 2 });
    log.push([name, answer]);
    console.log(name, answer);
  }
}

for (let round = 0; round < 20; round++) {
  log.push(["round", call_tool("count")]);
  await Promise.all([0, 1, 2, 3].map(worker));
}
result = log;
