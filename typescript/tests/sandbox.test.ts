// A sandbox of a server, whose address and token are in the environment.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, IsoletteError, type RunEvent } from "isolette";

const client = new Client();

const failure = async (work: Promise<unknown>): Promise<IsoletteError> => {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof IsoletteError, String(error));
    return error;
  }
  throw new Error("it did not fail");
};

test("programs leave their state for the next one", async () => {
  await using sandbox = await client.createSandbox({ metadata: { conversation: "17" } });
  const first = await sandbox.run("x = 41\nprint('out')\n{'x': x}");
  assert.deepEqual([first.value, first.stdout, first.exit_code], [{ x: 41 }, "out\n", 0]);
  assert.equal((await sandbox.run("x + n", { variables: { n: 1 } })).value, 42);
  const second = await sandbox.run("[1, 2].map((n) => n * 2)", { context: "js", language: "javascript" });
  assert.deepEqual(second.value, [2, 4]);
  assert.deepEqual((await sandbox.listContexts()).map((context) => context.name), ["default", "js"]);
  await sandbox.createContext("other");
  await sandbox.deleteContext("js");
  assert.deepEqual((await sandbox.listContexts()).map((context) => context.name), ["default", "other"]);
  const inspected = await sandbox.inspect();
  assert.equal(inspected.metadata.conversation, "17");
  assert.match(inspected.explanation, /network/);
  const listed = await client.listSandboxes();
  assert.ok(listed.some((found) => found.id === sandbox.id));
});

test("exceptions are results, and limits are errors with a hint", async () => {
  await using sandbox = await client.createSandbox();
  const raised = await sandbox.run("1 / 0");
  assert.equal(raised.error?.type, "ZeroDivisionError");
  const late = await failure(sandbox.run("while True: pass", { timeout: "200ms" }));
  assert.deepEqual([late.type, late.status], ["Timeout", undefined]);
  const absent = await failure(client.sandbox("sb-absent").run("1"));
  assert.deepEqual([absent.type, absent.status], ["NotFound", 404]);
  assert.match(absent.message, /hint: /);
  const wrong = await failure(client.createSandbox({ ttl: "soon" }));
  assert.deepEqual([wrong.type, wrong.status], ["InvalidArgument", 400]);
});

test("output comes as it is written, and leaving the loop ends the program", async () => {
  await using sandbox = await client.createSandbox();
  const seen: RunEvent[] = [];
  for await (const event of sandbox.stream("print('first', flush=True)\nwhile True: pass")) {
    seen.push(event);
    if (event.type === "output") break;
  }
  assert.ok(seen.some((event) => event.type === "output" && "text" in event && event.text === "first\n"));
  // The context is free again. Characters come as a whole, however they were written.
  let text = "";
  await sandbox.run("print('aé€😀' * 60000)", { onOutput: (part) => (text += part) });
  assert.equal(text, `${"aé€😀".repeat(60000)}\n`);
  const parts: string[] = [];
  const onOutput = (text: string, stream: string) => parts.push(`${stream} ${text}`);
  await sandbox.run("print('a', flush=True)\nimport sys; print('b', file=sys.stderr)", { onOutput });
  assert.deepEqual(parts, ["stdout a\n", "stderr b\n"]);
});

test("an abort signal ends the program", async () => {
  await using sandbox = await client.createSandbox();
  const abort = new AbortController();
  const onOutput = () => abort.abort(new Error("not needed any more"));
  const code = "print('runs', flush=True)\nwhile True: pass";
  await assert.rejects(sandbox.run(code, { signal: abort.signal, onOutput }), /not needed any more/);
  for (;;) {
    const [run] = await client.listRuns({ sandbox: sandbox.id });
    if (run?.state === "cancelled") break;
    assert.ok(run?.state === "running", run?.state);
  }
});

test("tools of this process are called, several at a time", async () => {
  let [inFlight, most] = [0, 0];
  const tools = [
    {
      name: "double",
      description: "Doubles a number.",
      inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      run: async ({ n }: { n: number }) => {
        most = Math.max(most, (inFlight += 1));
        while (most < 2) await new Promise((resolve) => setImmediate(resolve));
        inFlight -= 1;
        return n * 2;
      },
    },
    { name: "fail", run: () => { throw new Error("no such order"); } },
    { name: "pay", needsApproval: true, run: ({ amount }: { amount: number }) => `paid ${amount}` },
  ];
  const approve = (call: { arguments?: unknown }) => !JSON.stringify(call.arguments).includes("5000") || "too much";
  await using sandbox = await client.createSandbox({ tools, approve });
  const code = `
import asyncio
async def both():
    return await asyncio.gather(call_tool_async("double", n=1), call_tool_async("double", n=2))
asyncio.run(both())`;
  assert.deepEqual((await sandbox.run(code)).value, [2, 4]);
  assert.equal(most, 2);
  const failed = await sandbox.run("try:\n    call_tool('fail')\nexcept ToolError as error:\n    answer = str(error)\nanswer");
  assert.match(String(failed.value), /no such order/);
  assert.equal((await sandbox.run("call_tool('pay', amount=5)")).value, "paid 5");
  assert.match((await sandbox.run("call_tool('pay', amount=5000)")).error?.message ?? "", /too much/);
  // Outside of sandboxes, a program that calls a tool is paused meanwhile.
  assert.equal((await client.run("call_tool('double', n=21)", { tools: [{ ...tools[0]!, run: ({ n }) => n * 2 }] })).value, 42);
});

test("files, snapshots and forks", async () => {
  await using sandbox = await client.createSandbox();
  await sandbox.writeFile("data/in.txt", "text");
  const code = "x = open('/workspace/data/in.txt').read()\nopen('/output/out.bin', 'wb').write(bytes([0, 255]))\nx";
  assert.equal((await sandbox.run(code)).value, "text");
  assert.deepEqual([...(await sandbox.readFile("/output/out.bin"))], [0, 255]);
  const listed = await sandbox.listFiles("data");
  assert.deepEqual(listed, { files: [{ name: "in.txt", kind: "file", size: 4 }], is_truncated: false });
  const snapshot = await sandbox.snapshot("before");
  await sandbox.deleteFile("data");
  await sandbox.run("x = 'changed'");
  const [fork] = await sandbox.fork();
  assert.ok(fork);
  assert.equal((await fork.run("x")).value, "changed");
  await fork.delete();
  await sandbox.restore(snapshot);
  assert.equal((await sandbox.run("x + open('/workspace/data/in.txt').read()")).value, "texttext");
  await using other = await client.createSandbox({ snapshot });
  assert.equal((await other.run("x")).value, "text");
  assert.ok((await client.listSnapshots()).some((found) => found.note === "before"));
  assert.deepEqual(await client.inspectSnapshot(snapshot.id), snapshot);
  assert.deepEqual(await client.listSnapshots({ sandbox: sandbox.id }), [snapshot]);
  await client.deleteSnapshot(snapshot.id);
  assert.equal((await sandbox.pause()).state, "paused");
  assert.equal((await sandbox.resume()).state, "running");
  assert.ok((await sandbox.extend({ ttl: "3h" })).expires_at);
});

test("programs in the background, their events, logs and answers", async () => {
  await using sandbox = await client.createSandbox();
  const run = await sandbox.start("print('one')\nprint('two')\n7");
  const states: string[] = [];
  let output = "";
  for await (const event of run.events()) {
    if (event.type === "state") states.push(event.state);
    if (event.type === "output" && "text" in event) output += event.text;
  }
  assert.deepEqual([states.at(-1), output], ["succeeded", "one\ntwo\n"]);
  assert.equal((await run.result()).value, 7);
  const part = await run.logs({ offset: 4 });
  assert.deepEqual([part.data, part.is_complete], ["two\n", true]);
  const endless = await sandbox.start("while True: pass");
  assert.equal((await endless.cancel()).state, "cancelled");
  assert.equal((await failure(endless.result())).type, "Cancelled");
  const paused = await client.start("call_tool('ask', what='name')", { tools: [{ name: "ask", run: () => null }] });
  const waiting = await paused.wait();
  assert.equal(waiting.state, "paused");
  const [call] = waiting.calls;
  assert.ok(call && call.asks === "result");
  await client.getRun(paused.id).answer({ [call.id]: { value: "Ada" } });
  assert.equal((await paused.result()).value, "Ada");
});

test("a server that is not there is named", async () => {
  const absent = await failure(new Client({ url: "unix:/nonexistent/socket" }).health());
  assert.equal(absent.type, "Connection");
  assert.match(absent.message, /isolette serve/);
  assert.throws(() => new Client({ url: "ftp://host" }), /not the URL of a server/);
  assert.equal((await client.health()).status, "ok");
});
