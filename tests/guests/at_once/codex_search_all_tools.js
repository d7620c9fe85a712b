// @exec: {"yield_time_ms": 5000, "max_output_tokens": 200}
// Finds the tools about tickets by their names, and reads both lists at once.
const found = ALL_TOOLS.filter(({ name }) => name.startsWith("tickets_")).map(({ name }) => name);
text(found.sort());
const lists = await Promise.all(["open", "waiting"].map((status) => tools[found.find((name) => name.endsWith("search"))]({ status })));
text({ open: lists[0].length, waiting: lists[1].length });
