// The reader of server-sent events, wherever its input is cut.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

// It is no part of the interface of the package.
const folder = dirname(createRequire(import.meta.url).resolve("isolette"));
const { serverSentEvents } = await import(pathToFileURL(join(folder, "events.js")).href);

async function* parts(bytes: Uint8Array, cuts: number[]) {
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    yield bytes.subarray(from, cut);
    from = cut;
  }
}

const read = async (bytes: Uint8Array, cuts: number[]) => {
  const events = [];
  for await (const event of serverSentEvents(parts(bytes, cuts))) events.push(event);
  return events;
};

const TEXT =
  ": comment\r\nid: 1\r\nevent: output\r\ndata: {\"text\":\"é😀\"}\r\n\r\ndata: a\ndata:b\n\n" +
  "id: 3\rdata: c\r\revent: never\n";

test("events are the same wherever the bytes are cut", async () => {
  const bytes = new TextEncoder().encode(TEXT);
  const expected = [
    { id: "1", event: "output", data: "{\"text\":\"é😀\"}" },
    { id: "1", event: "message", data: "a\nb" },
    { id: "3", event: "message", data: "c" },
  ];
  assert.deepEqual(await read(bytes, []), expected);
  for (let cut = 0; cut < bytes.length; cut += 1) {
    assert.deepEqual(await read(bytes, [cut]), expected, `cut at ${cut}`);
    assert.deepEqual(await read(bytes, [cut, Math.min(cut + 1, bytes.length)]), expected, `cut at ${cut} and after`);
  }
});

test("an event is there as soon as its end is", async () => {
  async function* never() {
    yield new TextEncoder().encode("data: a\r\r");
    await new Promise(() => undefined);
  }
  const { value } = await serverSentEvents(never()).next();
  assert.equal(value.data, "a");
});

test("a long event in many parts takes a time that is proportional to it", async () => {
  const length = 32 << 20;
  const part = new Uint8Array(4096).fill(97);
  async function* parts() {
    yield new TextEncoder().encode("data: ");
    for (let sent = 0; sent < length; sent += part.length) yield part;
    yield new TextEncoder().encode("\n\n");
  }
  const begun = performance.now();
  const { value } = await serverSentEvents(parts()).next();
  assert.equal(value.data.length, length);
  assert.ok(performance.now() - begun < 10_000);
});

test("an event has an end, or an error", async () => {
  const line = new Uint8Array(1 << 20).fill(97);
  async function* endless() {
    for (;;) yield line;
  }
  await assert.rejects(async () => {
    for await (const _ of serverSentEvents(endless())) assert.fail("an event");
  }, /more than 67108864 characters/);
});
