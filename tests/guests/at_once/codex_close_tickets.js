// Closes the tickets of low priority one after another and the others at once; one is locked.
const open = await tools.tickets_search({ status: "open" });
const [low, high] = ["low", "high"].map((wanted) => open.filter(({ priority }) => priority === wanted));
for (const { id } of low) text(await tools.tickets_update({ id, status: "closed" }));
const outcomes = await Promise.allSettled(high.map(({ id }) => tools.tickets_update({ id, status: "escalated" })));
for (const { value, reason } of outcomes) text(value ?? `failed: ${reason.message.split(": ").at(-1)}`);
