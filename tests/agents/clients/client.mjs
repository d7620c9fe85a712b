// Plays a script against a server with the official TypeScript SDK. The script and the output are those of client.py.

import { readFileSync } from "node:fs";
import process from "node:process";

import { Client, ProtocolError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const script = JSON.parse(readFileSync(0, "utf8"));
const saved = {};
const asked = [];
const progress = [];

function transport(server) {
  if (server.command) {
    const [command, ...args] = server.command;
    return new StdioClientTransport({ command, args, env: { ...process.env, ...server.env } });
  }
  return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers ?? {} } });
}

// The SDK drops progress that it reads together with the response: its handlers of notifications run a turn later, and the
// listener of the request is gone by then. A transport's own handler hears every message in its order.
function withProgress(connection) {
  connection.onmessage = ({ method, params }) => {
    if (method === "notifications/progress") progress.push({ progress: params.progress, message: params.message });
  };
  return connection;
}

function fill(value) {
  if (typeof value === "string" && value.startsWith("$")) return saved[value.slice(1)];
  if (Array.isArray(value)) return value.map(fill);
  if (value && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each)]));
  }
  return value;
}

async function call(client, step) {
  const options = step.progress ? { onprogress: () => {} } : {};
  const result = await client.callTool({ name: step.call, arguments: fill(step.arguments ?? {}) }, options);
  if (step.save) saved[step.save] = result.structuredContent[step.save];
  for (const block of result.content) if (block.type === "resource_link") saved.link = block.uri;
  return step.progress ? { ...result, progress: progress.splice(0) } : result;
}

async function cancel(client, step) {
  const controller = new AbortController();
  const options = { signal: controller.signal, onprogress: () => controller.abort("enough") };
  try {
    return await client.callTool({ name: step.cancel, arguments: fill(step.arguments) }, options);
  } catch (error) {
    if (controller.signal.aborted) return { cancelled: true };
    throw error;
  }
}

async function untilToolsChange(client, step) {
  const changed = new Promise((resolve) => client.setNotificationHandler("notifications/tools/list_changed", resolve));
  if (client.getNegotiatedProtocolVersion() >= "2026-07-28") await client.listen({ toolsListChanged: true });
  await client.callTool({ name: step.until_tools_change, arguments: fill(step.arguments ?? {}) });
  await changed;
  return { changed: true };
}

async function play(client, step) {
  if (step.tools) return client.listTools();
  if (step.instructions) return client.getInstructions();
  if (step.read) return client.readResource({ uri: fill(step.read) });
  if (step.cancel) return cancel(client, step);
  if (step.until_tools_change) return untilToolsChange(client, step);
  if (step.parallel) return Promise.all(step.parallel.map((one) => call(client, one)));
  return call(client, step);
}

const client = new Client(
  { name: "client", version: "1.0.0" },
  {
    capabilities: script.elicitation ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: script.mode ?? "auto" },
  },
);
if (script.elicitation) {
  client.setRequestHandler("elicitation/create", async (request) => {
    asked.push(request.params.message);
    return script.elicitation === "accept" ? { action: "accept", content: {} } : { action: script.elicitation };
  });
}
await client.connect(withProgress(transport(script.server)));
const results = [];
for (const step of script.steps) {
  try {
    results.push(await play(client, step));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    results.push({ protocolError: { code: error.code, message: error.message } });
  }
}
process.stdout.write(`${JSON.stringify({ protocol: client.getNegotiatedProtocolVersion(), asked, results })}\n`);
await client.close();
