// Functions of this process that programs call, also those that cannot answer. The server is in the environment.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, type PausedCall, type Tool } from "isolette";

const client = new Client();
const circular: Record<string, unknown> = {};
circular.self = circular;

const tools: Tool[] = [
  { name: "nothing", run: () => undefined },
  { name: "big", run: () => ({ n: [10n ** 20n] }) },
  { name: "circular", run: () => circular },
  { name: "function", run: () => () => 1 },
  { name: "long", run: () => "x".repeat(20 << 20) },
  { name: "thrown", run: () => { throw "a text"; } },
  { name: "pay", needsApproval: true, run: ({ amount }: { amount: number }) => `paid ${amount}` },
];

const messageOf = (tool: string) => `
try:
    answer = call_tool('${tool}')
except ToolError as error:
    answer = str(error)
answer`;

test("what a tool cannot return is an exception in the program, which does not wait for it", async () => {
  await using sandbox = await client.createSandbox({ tools });
  const expected: [string, RegExp][] = [
    ["big", /the result of `big` is not JSON: `result.n\[0\]` is 100000000000000000000, an integer of more than 64 bits/], ["circular", /is not JSON: .*circular/s],
    ["function", /is not JSON: it is a function/], ["long", /the result could not be sent: /], ["thrown", /a text/],
  ];
  for (const [tool, message] of expected) {
    assert.match(String((await sandbox.run(messageOf(tool), { timeout: "20s" })).value), message, tool);
  }
  assert.equal((await sandbox.run("call_tool('nothing')")).value, null);
});

test("integers beyond 2^53 keep their digits both ways, or are refused with their place", async () => {
  const id = 1234567890123456789n;
  const seen: unknown[] = [];
  const tool: Tool = { name: "next", run: ({ id }: { id: bigint }) => { seen.push(id); return { id: id + 1n, small: 5 }; } };
  await using sandbox = await client.createSandbox({ tools: [tool] });
  const variables = { id, list: [2 ** 60, 2 ** 53, 7] };
  const result = await sandbox.run("[id, list, call_tool('next', id=id)]", { variables });
  assert.deepEqual(result.value, [id, [1152921504606846976n, 9007199254740992n, 7], { id: id + 1n, small: 5 }]);
  assert.deepEqual(seen, [id]);
  const refused = [[{ a: [1, 10n ** 20n] }, "variables.n.a[1]", "100000000000000000000"], [NaN, "variables.n", "NaN"]] as const;
  for (const [n, place, shown] of refused) {
    await assert.rejects(sandbox.run("n", { variables: { n } }), (error: Error) => error.message.includes(`\`${place}\` is ${shown}, `));
  }
});

test("a program in JavaScript calls them, too", async () => {
  const run = async ({ n }: { n: number }) => n * 2;
  const inputSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
  await using sandbox = await client.createSandbox({ language: "javascript", tools: [{ name: "double", inputSchema, run }] });
  const code = "await Promise.all([1, 2, 3].map((n) => call_tool_async('double', { n })))";
  assert.deepEqual((await sandbox.run(code)).value, [2, 4, 6]);
});

test("only true approves, and what is asked is shown", async () => {
  const asked: PausedCall[] = [];
  for (const decision of [true, false, "too much", "", undefined, 1, { deny: "x" }, new Error("not now")]) {
    const approve = (call: PausedCall) => {
      asked.push(call);
      if (decision instanceof Error) throw decision;
      return decision as boolean;
    };
    await using sandbox = await client.createSandbox({ tools, approve });
    const result = await sandbox.run("call_tool('pay', amount=5)", { timeout: "20s" });
    const reason = { "too much": /too much/, "Error: not now": /not now/ }[String(decision)] ?? /it was not approved/;
    if (decision === true) assert.equal(result.value, "paid 5");
    else assert.match(result.error?.message ?? "", reason);
  }
  assert.deepEqual([asked[0]?.asks, asked[0]?.target, asked[0]?.capability], ["approval", "pay", "tools"]);
  assert.match(JSON.stringify(asked[0]?.arguments), /5/);
  // Without an approver, such calls are denied.
  await using sandbox = await client.createSandbox({ tools });
  assert.match((await sandbox.run("call_tool('pay', amount=5)")).error?.message ?? "", /approv/);
});

const TOGETHER = `
import asyncio
async def all_of_them():
    return await asyncio.gather(*(call_tool_async("count", n=n) for n in range(4)))
asyncio.run(all_of_them()) + [call_tool("count", n=9)]`;

test("each call is made once, also if the program is paused for it", async () => {
  const made: number[] = [];
  const run = async ({ n }: { n: number }) => {
    made.push(n);
    await new Promise((resolve) => setTimeout(resolve, n === 0 ? 200 : 0));
    return n;
  };
  const counting = [{ name: "count", inputSchema: { type: "object", properties: { n: { type: "integer" } } }, run }];
  assert.deepEqual((await client.run(TOGETHER, { tools: counting })).value, [0, 1, 2, 3, 9]);
  assert.deepEqual(made.sort(), [0, 1, 2, 3, 9]);
  for (const pauses of [false, true]) {
    made.length = 0;
    await using sandbox = await client.createSandbox({ tools: counting, pauses });
    assert.deepEqual((await sandbox.run(TOGETHER)).value, [0, 1, 2, 3, 9]);
    assert.deepEqual(made.sort(), [0, 1, 2, 3, 9]);
  }
});

test("a signal ends a program that is paused, and its context can be used", async () => {
  const tools = [{ name: "never", run: () => new Promise(() => {}) }];
  await using sandbox = await client.createSandbox({ tools, pauses: true });
  const abort = new AbortController();
  const untilPaused = async () => {
    for await (const event of sandbox.stream("call_tool('never')", { signal: abort.signal })) {
      if (event.type === "state" && event.state === "paused") abort.abort(new Error("enough"));
    }
  };
  await assert.rejects(untilPaused(), /enough/);
  const [run] = await client.listRuns({ sandbox: sandbox.id });
  assert.equal(run?.state, "cancelled");
  assert.equal((await sandbox.run("1 + 1")).value, 2);
});

test("in a run of its own, a call is approved and then made", async () => {
  const options = { tools, approve: (call: PausedCall) => !JSON.stringify(call.arguments).includes("5000") || "too much" };
  assert.equal((await client.run("call_tool('pay', amount=5)", options)).value, "paid 5");
  assert.match((await client.run("call_tool('pay', amount=5000)", options)).error?.message ?? "", /too much/);
});

test("the signal of a tool is aborted when the run ends before it", async () => {
  const ended = Promise.withResolvers<void>();
  const run = async (_: unknown, { signal }: { signal: AbortSignal }) => {
    signal.addEventListener("abort", () => ended.resolve());
    await ended.promise;
  };
  await using sandbox = await client.createSandbox({ tools: [{ name: "wait", run }] });
  await assert.rejects(sandbox.run("call_tool('wait')", { timeout: "300ms" }), { type: "Timeout" });
  await ended.promise;
});
