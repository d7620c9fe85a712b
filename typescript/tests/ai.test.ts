// The tool for Vercel's AI SDK, called as that calls it. The server is in the environment.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "isolette";
import { codeTool } from "isolette/ai";

const client = new Client();
const tools = [{
  name: "temperature",
  description: "The temperature in a city.",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: () => 19,
}];

const call = (code: ReturnType<typeof codeTool>, program: string, abortSignal?: AbortSignal) =>
  Promise.resolve(code.execute?.({ code: program }, { toolCallId: "1", messages: [], abortSignal, context: {} }));

test("its description has the functions of the sandbox", async () => {
  await using sandbox = await client.createSandbox({ tools });
  const description = String(codeTool(sandbox).description);
  assert.match(description, /- temperature: The temperature in a city\. Arguments: \{"type":"object".*"city"/);
  const other = String(codeTool(sandbox, { language: "javascript", tools: [] }).description);
  assert.match(other, /^Runs a program in javascript.*next\.$/);
});

test("a model gets the value, the output, and why a program failed", async () => {
  await using sandbox = await client.createSandbox({ tools, policy: { timeout: "1s" } });
  const code = codeTool(sandbox);
  const good = await call(code, "print('out')\ncall_tool('temperature', city='Rome')");
  assert.deepEqual(good, { value: 19, stdout: "out\n" });
  const raised = await call(code, "import sys; print('why', file=sys.stderr)\n1 / 0");
  assert.ok(raised && "error" in raised);
  assert.match(raised.error ?? "", /ZeroDivisionError/);
  assert.equal(raised.stderr, "why\n");
  const late = await call(code, "while True: pass");
  assert.ok(late && "error" in late);
  assert.match(late.error ?? "", /timeout/);
});

test("a turn that is aborted ends its program, and a sandbox that is gone is not the model's concern", async () => {
  const sandbox = await client.createSandbox();
  const code = codeTool(sandbox);
  await assert.rejects(call(code, "while True: pass", AbortSignal.timeout(300)), { name: "TimeoutError" });
  await sandbox.delete();
  await assert.rejects(call(code, "1"), { type: "NotFound" });
});
