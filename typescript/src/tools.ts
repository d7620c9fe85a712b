import { textOf } from "./errors.js";
import { parse, stringify } from "./json.js";
import type { Answer, PausedCall } from "./types.js";

/** What a tool gets beside its arguments. */
export interface ToolContext {
  /** Aborted when the run ends before the tool does. */
  signal: AbortSignal;
}

/** A function of this process that programs call as a tool. */
export interface Tool {
  /** Letters, digits, `_`, `-` and `.`. */
  name: string;
  /** What it does, for models. */
  description?: string;
  /** The JSON schema of its arguments, an object. Default: any arguments. */
  inputSchema?: Record<string, unknown>;
  /** The JSON schema of its result. */
  outputSchema?: Record<string, unknown>;
  /** Whether each call needs approval: that of `approve`. */
  needsApproval?: boolean;
  /**
   * Called once for each call, with its arguments, and for several calls at the same time. The result has to be JSON;
   * `undefined` is null. What it throws is a `ToolError` in the program.
   */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the schema decides, not the compiler
  run: (args: any, context: ToolContext) => unknown;
}

/** Decides about a call that needs approval: `true`, or the reason why not. Everything else denies it. */
export type Approve = (call: PausedCall) => boolean | string | Promise<boolean | string>;

/** The tools of a sandbox, and who approves. */
export interface ToolOptions {
  /** The functions that programs can call, up to 200. A call of a tool that is not here waits for an answer from elsewhere. */
  tools?: Tool[];
  /** Without it, calls that need approval are denied. */
  approve?: Approve;
}

/** What the server has to know of tools. */
export function specsOf(options: ToolOptions): Record<string, unknown> {
  const tools = (options.tools ?? []).map((tool) => ({
    name: tool.name,
    description: tool.description ?? "",
    input_schema: tool.inputSchema ?? {},
    output_schema: tool.outputSchema ?? null,
    needs_approval: tool.needsApproval ?? false,
  }));
  return { ...(tools.length ? { tools } : {}), ...(options.approve ? { approves: true } : {}) };
}

/** Answers a call that waits. Does not fail: what a tool throws is the answer. */
export async function answerTo(call: PausedCall, options: ToolOptions, signal: AbortSignal): Promise<Answer | undefined> {
  if (call.asks === "approval") {
    if (!options.approve) return undefined;
    try {
      const decision = await options.approve(call);
      if (decision === true) return "approve";
      return { deny: typeof decision === "string" && decision !== "" ? decision : "it was not approved" };
    } catch (error) {
      return { deny: textOf(error) };
    }
  }
  const tool = options.tools?.find((candidate) => candidate.name === call.target);
  if (!tool) return undefined;
  try {
    return { value: asJson(tool.name, await tool.run(call.arguments ?? {}, { signal })) };
  } catch (error) {
    return { error: textOf(error) };
  }
}

/** The value as it is sent. Throws if it cannot be: the program would wait for it. */
function asJson(tool: string, value: unknown): unknown {
  if (value === undefined) return null;
  let text: string | undefined;
  try {
    text = stringify(value, "result");
  } catch (error) {
    throw new Error(`the result of \`${tool}\` is not JSON: ${textOf(error)}`);
  }
  if (text === undefined) throw new Error(`the result of \`${tool}\` is not JSON: it is a ${typeof value}`);
  return parse(text);
}
