import { jsonSchema, tool } from "ai";
import { IsoletteError } from "./errors.js";
import { withoutBigInts } from "./json.js";
import type { Sandbox } from "./sandbox.js";
import type { Tool } from "./tools.js";
import type { Language } from "./types.js";

/** What a model gets of a program. */
export interface CodeOutput {
  /** The value of the last expression. Integers beyond 2^53 are texts, since what goes to a model is JSON. */
  value?: unknown;
  /** What the program wrote. */
  stdout: string;
  /** What it wrote on standard error, unless that is nothing. */
  stderr?: string;
  /** The traceback, or why the host ended the program. */
  error?: string;
}

/** How the tool is described to the model. */
export interface CodeToolOptions {
  /** The functions that the description names. Default: those that the sandbox was made with. */
  tools?: readonly Tool[];
  /** The language of the programs. Default: `python`. */
  language?: Language;
}

/**
 * A tool for Vercel's AI SDK that runs the programs of a model in a sandbox. Programs call the functions of the sandbox with
 * `call_tool(name, …)`; names and imports stay from one program to the next. A program ends if the model's turn is aborted.
 */
export function codeTool(sandbox: Sandbox, options: CodeToolOptions = {}) {
  const language = options.language ?? "python";
  return tool({
    description: descriptionOf(language, options.tools ?? sandbox.tools),
    inputSchema: jsonSchema<{ code: string }>({
      type: "object",
      properties: { code: { type: "string", description: `The program, in ${language}` } },
      required: ["code"],
      additionalProperties: false,
    }),
    execute: async ({ code }, { abortSignal }): Promise<CodeOutput> => {
      try {
        const result = await sandbox.run(code, { language, ...(abortSignal ? { signal: abortSignal } : {}) });
        return {
          ...(result.value === undefined ? {} : { value: withoutBigInts(result.value) }),
          stdout: result.stdout,
          ...(result.stderr ? { stderr: result.stderr } : {}),
          ...(result.error ? { error: result.error.traceback || result.error.message } : {}),
        };
      } catch (error) {
        // The model can do better when it knows why: a limit, or a rule.
        if (isOfProgram(error)) return { stdout: "", error: error.message };
        throw error;
      }
    },
  });
}

/** Whether the host has ended the program, rather than the server refused the request. */
function isOfProgram(error: unknown): error is IsoletteError {
  return error instanceof IsoletteError && error.status === undefined && !["Connection", "Http"].includes(error.type);
}

function descriptionOf(language: Language, tools: readonly Tool[]): string {
  const what =
    `Runs a program in ${language}, in a sandbox, and returns its output and the value of its last expression. ` +
    "Names stay from one program to the next.";
  if (tools.length === 0) return what;
  const call = language === "python" ? 'call_tool("name", argument=…)' : 'call_tool("name", { argument: … })';
  const functions = tools.map(({ name, description, inputSchema }) => {
    const said = description ? `${description} ` : "";
    return `- ${name}: ${said}Arguments: ${JSON.stringify(inputSchema ?? {})}`;
  });
  return `${what}\nPrograms can call these functions with ${call}:\n${functions.join("\n")}`;
}
