// Tools: functions that the host provides.

import { tools as mode } from "./call_mode.js";
import { builtIn, define, named } from "./globals.js";
import { host } from "./host.js";
import { watching } from "./pending.js";
import { namespaces } from "./tool_namespaces.js";

class ToolError extends Error {
  constructor(message, kind, tool) {
    super(message);
    Object.defineProperties(this, {
      kind: { value: kind, enumerable: true, writable: true, configurable: true },
      tool: { value: tool, enumerable: true, writable: true, configurable: true },
    });
  }
}
builtIn("ToolError", ToolError);
Object.defineProperty(ToolError.prototype, "name", { value: "ToolError", writable: true, configurable: true });
delete ToolError.prototype[Symbol.toStringTag];

export function failure(name, [kind, sentence]) {
  const named = kind !== "failed" || sentence.startsWith(`Tool '${name}'`);
  return new ToolError(named ? sentence : `Tool '${name}' failed: ${sentence}`, kind, name);
}

function call_tool(name, args = {}) {
  return mode.asynchronous ? call_tool_async(name, args) : host.callTool(name, args);
}

// Starts a call: a promise of its result. Aborting the signal ends the call.
export function call_tool_async(name, args = {}, { signal } = {}) {
  try {
    signal?.throwIfAborted();
    return host.startTool(name, args, watching(signal));
  } catch (error) {
    return Promise.reject(error);
  }
}

const list_tools = () => host.listTools();

const LEVELS = ["name", "brief", "detailed", "full"];

// Tools that match words, best first: an array whose `total` is the number of matches without the limit.
function search_tools(query = "", { detail = "brief", tags = [], limit = 10 } = {}) {
  if (!LEVELS.includes(detail)) throw new TypeError(`detail must be one of ${LEVELS.join(", ")}, not ${detail}`);
  const wanted = (typeof tags === "string" ? [tags] : [...tags]).map(String);
  const outcome = host.searchTools(`${query}`, detail, wanted, Number(limit));
  if (Array.isArray(outcome)) throw failure("search", outcome);
  const found = outcome.tools.map((tool) => shown(tool, detail));
  return Object.defineProperty(found, "total", { value: outcome.total, writable: true, configurable: true });
}

function shown({ name, description, tags, parameters, input_schema, output_schema }, detail) {
  if (detail === "name") return { name };
  if (detail === "brief") return { name, description, tags };
  if (detail === "detailed") return { name, description, tags, parameters };
  const schemas = { input_schema: host.parseExact(input_schema) };
  if (output_schema != null) schemas.output_schema = host.parseExact(output_schema);
  return { name, description, tags, ...schemas };
}

function describe_tool(name) {
  const outcome = host.describeTool(`${name}`);
  if (Array.isArray(outcome)) throw failure(name, outcome);
  const { description, input_schema, output_schema, declaration } = outcome;
  const described = { name: outcome.name, description, input_schema: host.parseExact(input_schema) };
  if (output_schema != null) described.output_schema = host.parseExact(output_schema);
  described.declaration = declaration;
  return described;
}

export function installTools() {
  define("ToolError", ToolError);
  define("call_tool", call_tool);
  define("call_tool_async", call_tool_async);
  define("list_tools", list_tools);
  define("describe_tool", describe_tool);
  define("search_tools", search_tools);
  define(
    "tools",
    namespaces(call_tool, call_tool_async, {
      call: named("call", call_tool.bind(undefined)),
      list: named("list", list_tools.bind(undefined)),
      describe: named("describe", describe_tool.bind(undefined)),
      search: named("search", search_tools.bind(undefined)),
    }),
  );
}
