async () => {
  // As Cloudflare's code mode has it: one asynchronous function, whose result is the value.
  const [first, second] = await Promise.all([codemode.meet({ of: 2, name: "a" }), codemode.meet({ of: 2, name: "b" })]);
  const rows = await codemode.query_database({ sql: `SELECT '${first}${second}'` });
  try {
    await codemode.fail({ name: "x" });
  } catch (error) {
    return { rows: rows.length, found: await codemode.records_find_all({ kind: "c" }), error: error.message };
  }
}
