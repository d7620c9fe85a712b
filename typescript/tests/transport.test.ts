// Requests that fail, against a server that fails as the test says.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { type AddressInfo, type Socket } from "node:net";
import { test } from "node:test";
import { Client, IsoletteError, type RunEvent } from "isolette";

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse) => void;

/** A server that answers the first request with the first handler, and so on. */
async function serve(...handlers: Handler[]) {
  const requests: (IncomingMessage & { body: string })[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const seen = Object.assign(request, { body });
    requests.push(seen);
    handlers[requests.length - 1]?.(seen, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  const client = (retries?: number) => new Client({ url: `${url}/below/`, token: "secret", ...(retries ? { retries } : {}) });
  return { client, requests, [Symbol.dispose]: close };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Handler => (_, response) => {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
};
const refuse = (status: number, type: string, after?: number) =>
  json(status, { error: { type, message: "no", hint: "wait" } }, after === undefined ? {} : { "retry-after": String(after) });
const hangUp: Handler = (request) => void (request.socket as Socket).destroy();
const events = (...texts: string[]): Handler => (_, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(texts.join(""), () => setTimeout(() => response.destroy(), 20));
};
const event = (id: number, name: string, data: unknown) => `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const output = (id: number, text: string) => event(id, "output", { stream: "stdout", text });
const end = (id: number) => event(id, "end", { id: "run-1", state: "succeeded", calls: [], result: { value: 1 } });

test("a request is sent below the path of the URL, with the token, and again if there is no room", async () => {
  using server = await serve(refuse(503, "Stopping", 0), hangUp, refuse(409, "Conflict"), json(201, { id: "snap-1" }));
  assert.equal((await server.client(3).sandbox("sb/1").snapshot()).id, "snap-1");
  const [first, ...others] = server.requests;
  assert.equal(first?.url, "/below/v1/sandboxes/sb%2F1/snapshots");
  assert.equal(first?.headers.authorization, "Bearer secret");
  assert.ok(first?.headers["idempotency-key"]);
  for (const other of others) assert.equal(other.headers["idempotency-key"], first?.headers["idempotency-key"]);
  assert.equal(others.length, 3);
});

test("a refusal is an error with a hint, and how often it is asked again is limited", async () => {
  using server = await serve(refuse(429, "Busy", 0), refuse(429, "Busy", 0), refuse(429, "Busy", 0));
  const error = await server.client().health().catch((thrown: unknown) => thrown);
  assert.ok(error instanceof IsoletteError);
  assert.deepEqual([error.type, error.status, error.hint, error.message], ["Busy", 429, "wait", "no\nhint: wait"]);
  assert.equal(server.requests.length, 3);
});

test("a time that is too long is not waited for", async () => {
  using server = await serve(refuse(429, "Busy", 3600));
  await assert.rejects(server.client().health(), { type: "Busy" });
  assert.equal(server.requests.length, 1);
});

test("a program is not begun twice: a request whose connection broke off is not sent again", async () => {
  using server = await serve(hangUp);
  await assert.rejects(server.client().run("1"), { type: "Connection" });
  assert.equal(server.requests.length, 1);
});

test("a program that is refused for lack of room is begun later", async () => {
  using server = await serve(refuse(429, "Busy", 0), events(end(0)));
  assert.equal((await server.client().run("1")).value, 1);
  assert.equal(server.requests[1]?.headers["idempotency-key"], undefined);
});

test("a stream that breaks off before the end is an error", async () => {
  using server = await serve(events(output(0, "a")));
  const parts: string[] = [];
  const onOutput = (text: string) => parts.push(text);
  await assert.rejects(server.client().run("1", { onOutput }), { type: "Connection", message: /broke off/ });
  assert.deepEqual(parts, ["a"]);
});

test("the events of a run go on after the last one, over broken connections and refusals", async () => {
  const part = event(1, "output", { stream: "stdout", base64: Buffer.from([0xc3]).toString("base64") });
  const rest = event(2, "output", { stream: "stdout", base64: Buffer.from([0xa9]).toString("base64") });
  const cut = "id: 3\nevent: out";
  using server = await serve(
    events(output(0, "a"), part), hangUp, refuse(503, "Stopping", 0), events(rest, cut), events(output(3, "b"), end(4)),
  );
  const seen: RunEvent[] = [];
  for await (const one of server.client().getRun("run-1").events()) seen.push(one);
  assert.deepEqual(server.requests.map((request) => request.headers["last-event-id"]), [undefined, "1", "1", "1", "2"]);
  assert.equal(seen.map((one) => (one.type === "output" ? one.text : "")).join(""), "aéb");
  assert.equal(seen.at(-1)?.type, "end");
});

test("a connection is used again after a program", async () => {
  const whole: Handler = (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(end(0));
    setTimeout(() => response.end(), 20);
  };
  using server = await serve(whole, whole, json(200, {}));
  const client = server.client();
  for (let count = 0; count < 2; count += 1) {
    await client.run("1");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await client.health();
  assert.equal(new Set(server.requests.map((request) => request.socket.remotePort)).size, 1);
});

test("the events of a run that does not exist are not asked for again", async () => {
  using server = await serve(refuse(404, "NotFound"));
  await assert.rejects(server.client().getRun("run-1").events().next(), { type: "NotFound" });
  assert.equal(server.requests.length, 1);
});

test("a signal ends any wait with its reason", async () => {
  using server = await serve(() => undefined, refuse(429, "Busy", 20), events(), hangUp);
  const client = server.client();
  const signal = () => AbortSignal.timeout(50);
  await assert.rejects(client.health({ signal: signal() }), { name: "TimeoutError" });
  await assert.rejects(client.health({ signal: signal() }), { name: "TimeoutError" });
  await assert.rejects(client.getRun("run-1").events({ signal: signal() }).next(), { name: "TimeoutError" });
  await assert.rejects(client.createSandbox({ signal: AbortSignal.abort(new Error("before")) }), { message: "before" });
});

test("what is not this server is named", async () => {
  const page: Handler = (_, response) => void response.end("<html>");
  const redirect: Handler = (_, response) => void response.writeHead(302, { location: "/login" }).end();
  using server = await serve(page, redirect);
  const client = server.client();
  await assert.rejects(client.health(), { type: "Http", message: /not JSON: <html>/ });
  await assert.rejects(client.health(), { type: "Http", message: /status 302/ });
});
