// As OpenAI's documentation of programmatic tool calling has it: promises, and output by text and image.
const skus = ["a", "b", "c"];
const [a, b, c] = await Promise.all(skus.map((name) => tools.meet({ of: 3, name })));
text(`${a}${b}${c}`);
const rows = await tools.query_database({ sql: "SELECT 1" });
text({ total: rows.reduce((sum, row) => sum + row.revenue, 0) });
text(await tools.records_find_all({ kind: "b" }));
image("https://example.com/chart.png");
image("data:image/png;base64,iVBORw0KGgo=");
