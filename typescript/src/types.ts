import type { components } from "./generated.js";

type Schemas = components["schemas"];

/** A run as the server reports it. */
export type RunInfo = Omit<Schemas["Run"], "result" | "calls"> & { result?: ExecutionResult | null; calls: PausedCall[] };
/** A sandbox as the server reports it. */
export type SandboxInfo = Schemas["Sandbox"];
/** A sandbox with its effective policy. */
export type InspectedSandbox = Schemas["InspectedSandbox"];
/** A context: the names, imports and files in `/tmp` that programs leave for the next one. */
export type ContextInfo = Schemas["Context"];
/** A file or a folder of a sandbox. */
export type FileInfo = Schemas["File"];
/** A folder of a sandbox: at most 10,000 entries, sorted by name. */
export type FileList = Schemas["FileList"];
/** A snapshot: the contexts and files that a sandbox had at one moment. */
export type SnapshotInfo = Schemas["Snapshot"];
/** The state of the server. */
export type Health = Schemas["Health"];
/** A part of the output of a run. */
export type LogPart = Schemas["LogPart"];
/** How long: `"500ms"`, `"30s"`, `"2h"`. */
export type Duration = Schemas["Span"];
/** The language of a program. */
export type Language = "python" | "javascript" | "typescript";

/** What a program did, whose end the host did not cause. */
export interface ExecutionResult {
  /** The value of the last expression, as JSON. */
  value?: unknown;
  /** What it wrote, up to the limit of the policy. */
  stdout: string;
  /** The same of its standard error. */
  stderr: string;
  /** The exit code of the program. */
  exit_code: number;
  /** The exception that ended the program. */
  error?: { type: string; message: string; line?: number | null; traceback: string } | null;
  /** The files that the program left in `/output`. */
  files: { path: string; size: number; sha256: string }[];
  /** Calls of the host, up to a limit. */
  calls: Record<string, unknown>[];
  /** Time, memory and calls that were used. */
  usage: Record<string, number>;
}

/** A call that waits for an answer of the caller. */
export interface PausedCall {
  /** The number of the call in its run. */
  id: number;
  /** `result` if the tool is the caller's, `approval` if the call needs approval. */
  asks: "result" | "approval";
  /** `tools`, `http`, `files` or `capabilities`. */
  capability: string;
  /** The operation, such as `call` or `GET`. */
  operation: string;
  /** The tool, URL, path or interface. */
  target: string;
  /** The arguments, without secrets. */
  arguments?: unknown;
  /** Why it needs approval. */
  reason: string;
}

/** The answer to a call that waits. */
export type Answer = { value: unknown } | { error: string } | "approve" | { deny: string };

/** Output of a program. */
export interface OutputEvent {
  type: "output";
  stream: "stdout" | "stderr";
  /**
   * The output as text. A character that was written in parts is in the event of its last part; what is not UTF-8 is U+FFFD.
   */
  text: string;
  /** The output itself, if it is not UTF-8 as it stands. */
  bytes?: Uint8Array;
}

/**
 * What happens to a run. `state` comes when the run enters a state, `calls` when other calls wait than before, `end` as the
 * last.
 */
export type RunEvent =
  | { type: "state"; run: string; state: RunInfo["state"] }
  | OutputEvent
  | { type: "calls"; calls: PausedCall[] }
  | { type: "end"; run: RunInfo };

/** How long this process waits for a response. */
export interface CallOptions {
  /** Ends the wait, which fails with the reason of the signal. What the server has begun goes on. */
  signal?: AbortSignal;
}

/** How a program is run. */
export interface RunOptions {
  /** The context of the sandbox, which is made if it does not exist. Default: `default`. */
  context?: string;
  /** Default: the language of the context or of the sandbox. */
  language?: Language;
  /** The wall time of the program, at most that of the policy, which is the default. */
  timeout?: Duration;
  /** Globals that are set before the program. An integer beyond 2^53 is a `bigint`. */
  variables?: Record<string, unknown>;
  /** The name of the program in tracebacks. */
  filename?: string;
  /** Whether the context returns to its state before the program if that fails. */
  rollbackOnError?: boolean;
  /** Cancels the program. The call fails with the reason of the signal. */
  signal?: AbortSignal;
  /** Called with output as it is written. */
  onOutput?: (text: string, stream: "stdout" | "stderr") => void;
}
