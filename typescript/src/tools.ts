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
  /** Called with the arguments, for several calls at the same time. The result has to be JSON. What it throws reaches the program. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the schema decides, not the compiler
  run: (args: any, context: ToolContext) => unknown;
}

/** Decides about a call that needs approval: `true`, or the reason why not. */
export type Approve = (call: PausedCall) => boolean | string | Promise<boolean | string>;

/** The tools of a sandbox, and who approves. */
export interface ToolOptions {
  tools?: Tool[];
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
  const message = (error: unknown) => (error instanceof Error ? error.message : String(error));
  if (call.asks === "approval") {
    if (!options.approve) return undefined;
    try {
      const decision = await options.approve(call);
      return decision === true ? "approve" : { deny: decision === false ? "it was not approved" : decision };
    } catch (error) {
      return { deny: message(error) };
    }
  }
  const tool = options.tools?.find((candidate) => candidate.name === call.target);
  if (!tool) return undefined;
  try {
    return { value: (await tool.run(call.arguments ?? {}, { signal })) ?? null };
  } catch (error) {
    return { error: message(error) };
  }
}
