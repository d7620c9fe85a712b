import type { ClientOptions } from "./address.js";
import { bodyOf, resultOfStream, stream } from "./foreground.js";
import { Run } from "./run.js";
import { Sandbox } from "./sandbox.js";
import { type ToolOptions, specsOf } from "./tools.js";
import { Transport } from "./transport.js";
import type {
  CallOptions, Duration, ExecutionResult, Health, Language, RunEvent, RunInfo, RunOptions, SandboxInfo, SnapshotInfo,
} from "./types.js";

/** A sandbox to make. Everything has a default. */
export interface SandboxOptions extends ToolOptions {
  /** A name by which the sandbox can be found. It is unique among those of the caller. */
  name?: string;
  /** The language of programs that do not name one. Default: `python`. */
  language?: Language;
  /** The policy, with the keys of a policy file. By default everything is denied. */
  policy?: Record<string, unknown>;
  /** Texts of the caller, which are returned. */
  metadata?: Record<string, string>;
  /** How long the sandbox exists. Default: 1 day. */
  ttl?: Duration;
  /** How long it may be unused before it is saved. Default: 5 minutes. */
  idle?: Duration;
  /** Whether contexts are saved after each program. Default: true. */
  checkpoint?: boolean;
  /**
   * Whether a program is paused while its calls wait: they can be answered days later, also by another process. Default: false,
   * its guest waits, within the time of the program.
   */
  pauses?: boolean;
  /** The snapshot that it begins with. */
  snapshot?: string | SnapshotInfo;
}

/** A program outside of sandboxes. Nothing of it remains. */
export interface FreshRunOptions extends Omit<RunOptions, "context" | "rollbackOnError">, ToolOptions {
  /** The policy, with the keys of a policy file. By default everything is denied. */
  policy?: Record<string, unknown>;
}

/** A server that keeps sandboxes: `isolette serve`. */
export class Client {
  readonly #transport: Transport;

  /** Names the server. Nothing is sent before the first request. */
  constructor(options: ClientOptions = {}) {
    this.#transport = new Transport(options);
  }

  /**
   * Makes a sandbox. Its tools are answered by this process, while a program runs by {@link Sandbox.run} or {@link
   * Sandbox.stream}.
   */
  async createSandbox(options: SandboxOptions & CallOptions = {}): Promise<Sandbox> {
    const { tools, approve, snapshot, signal, ...rest } = options;
    const base = snapshot === undefined ? {} : { snapshot: typeof snapshot === "string" ? snapshot : snapshot.id };
    const json = { ...rest, ...base, ...specsOf(options) };
    const made = await this.#transport.json<SandboxInfo>("/v1/sandboxes", { method: "POST", json, signal });
    return new Sandbox(this.#transport, made.id, { tools, approve });
  }

  /**
   * A sandbox that exists, by its identifier or its name. Nothing is sent. Its tools are those that it was made with; pass
   * their functions again.
   */
  sandbox(id: string, tools: ToolOptions = {}): Sandbox {
    return new Sandbox(this.#transport, id, tools);
  }

  /** All sandboxes of the caller, the oldest first. */
  async listSandboxes(options: CallOptions = {}): Promise<SandboxInfo[]> {
    return (await this.#transport.json<{ sandboxes: SandboxInfo[] }>("/v1/sandboxes", options)).sandboxes;
  }

  /**
   * Runs a program in a guest of its own, and answers its calls of tools. Throws {@link IsoletteError} if the host ended it; an
   * exception is in the result.
   */
  async run(code: string, options: FreshRunOptions = {}): Promise<ExecutionResult> {
    return await resultOfStream(this.stream(code, options), options.onOutput);
  }

  /** Runs a program in a guest of its own, and yields what happens. The program is cancelled if the loop over it is left. */
  stream(code: string, options: Omit<FreshRunOptions, "onOutput"> = {}): AsyncGenerator<RunEvent> {
    return stream(this.#transport, "/v1/runs", freshBodyOf(code, options), options, options.signal);
  }

  /**
   * Begins a program in a guest of its own, in the background. If it calls a tool it is saved, and waits until {@link
   * Run.answer}, days if need be; no function of `tools` is called.
   */
  async start(code: string, options: Omit<FreshRunOptions, "onOutput"> = {}): Promise<Run> {
    const json = { ...freshBodyOf(code, options), background: true };
    const run = await this.#transport.json<RunInfo>("/v1/runs", { method: "POST", json, signal: options.signal });
    return new Run(this.#transport, run.id);
  }

  /** A run by its identifier. Nothing is sent. */
  getRun(id: string): Run {
    return new Run(this.#transport, id);
  }

  /** Runs of the caller, the latest first: up to `limit` (default: 100, at most 1,000), of one sandbox if it is named. */
  async listRuns(options: { sandbox?: string; limit?: number } & CallOptions = {}): Promise<RunInfo[]> {
    const query = new URLSearchParams();
    if (options.sandbox !== undefined) query.set("sandbox", options.sandbox);
    if (options.limit !== undefined) query.set("limit", String(options.limit));
    return (await this.#transport.json<{ runs: RunInfo[] }>(`/v1/runs?${query}`, { signal: options.signal })).runs;
  }

  /** Snapshots of the caller, the latest first; those of one sandbox, if its identifier is named. */
  async listSnapshots(options: { sandbox?: string } & CallOptions = {}): Promise<SnapshotInfo[]> {
    const query = new URLSearchParams(options.sandbox === undefined ? {} : { sandbox: options.sandbox });
    const { signal } = options;
    return (await this.#transport.json<{ snapshots: SnapshotInfo[] }>(`/v1/snapshots?${query}`, { signal })).snapshots;
  }

  /** A snapshot by its identifier. */
  async inspectSnapshot(id: string, options: CallOptions = {}): Promise<SnapshotInfo> {
    return await this.#transport.json(`/v1/snapshots/${encodeURIComponent(id)}`, options);
  }

  /** Deletes a snapshot. Sandboxes that continue from it are not affected. */
  async deleteSnapshot(id: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.json(`/v1/snapshots/${encodeURIComponent(id)}`, { ...options, method: "DELETE" });
  }

  /** The state of the server. */
  async health(options: CallOptions = {}): Promise<Health> {
    return await this.#transport.json("/v1/health", options);
  }
}

function freshBodyOf(code: string, options: FreshRunOptions): Record<string, unknown> {
  const { policy } = options;
  return { ...bodyOf(code, options), ...(policy ? { policy } : {}), ...specsOf(options) };
}
