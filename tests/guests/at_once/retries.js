// Four values, of which two have to be fetched again and one never comes.
const found = new Map();
let missing = ["flaky-a", "steady", "flaky-b", "broken"];
for (let attempt = 0; attempt < 4; attempt++) {
  const outcomes = await Promise.allSettled(missing.map((key) => tools.service.fetch({ key })));
  outcomes.forEach(({ value, reason }, index) => {
    const key = missing[index];
    found.set(key, value ?? { key, error: reason.message.split(": ").at(-1) });
  });
  missing = missing.filter((key) => found.get(key).error !== undefined);
}
result = [...found.values()];
