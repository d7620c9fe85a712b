import { Run, resultOf, stream } from "./run.js";
import { Sandbox, bodyOf, textOf } from "./sandbox.js";
import { IsoletteError } from "./errors.js";
import { type ToolOptions, specsOf } from "./tools.js";
import { type ClientOptions, Transport } from "./transport.js";
import type { Duration, ExecutionResult, Health, Language, RunInfo, RunOptions, SandboxInfo, SnapshotInfo } from "./types.js";

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

  /** Makes a sandbox. Its tools are answered by this process, while a program runs by {@link Sandbox.run} or {@link Sandbox.stream}. */
  async createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
    const { tools, approve, snapshot, ...rest } = options;
    const base = snapshot === undefined ? {} : { snapshot: typeof snapshot === "string" ? snapshot : snapshot.id };
    const json = { ...rest, ...base, ...specsOf(options) };
    const made = await this.#transport.json<SandboxInfo>("/v1/sandboxes", { method: "POST", json });
    return new Sandbox(this.#transport, made.id, { tools, approve });
  }

  /** A sandbox that exists, by its identifier or its name. Its tools are those that it was made with; pass their functions again. */
  sandbox(id: string, tools: ToolOptions = {}): Sandbox {
    return new Sandbox(this.#transport, id, tools);
  }

  /** All sandboxes of the caller, the oldest first. */
  async listSandboxes(): Promise<SandboxInfo[]> {
    return (await this.#transport.json<{ sandboxes: SandboxInfo[] }>("/v1/sandboxes")).sandboxes;
  }

  /** Runs a program in a guest of its own. Throws {@link IsoletteError} if the host ended it; an exception is in the result. */
  async run(code: string, options: FreshRunOptions = {}): Promise<ExecutionResult> {
    const { policy, signal, onOutput } = options;
    const body = { ...bodyOf(code, options), ...(policy ? { policy } : {}), ...specsOf(options) };
    let last: RunInfo | undefined;
    for await (const event of stream(this.#transport, "/v1/runs", body, options, signal)) {
      if (event.type === "end") last = event.run;
      if (event.type === "output") onOutput?.(textOf(event), event.stream);
    }
    if (!last) throw new IsoletteError("Connection", "the connection broke off before the end of the program", "look at the runs");
    return resultOf(last);
  }

  /** Begins a program in a guest of its own, in the background. Calls of its tools wait until {@link Run.answer}, days if need be. */
  async start(code: string, options: Omit<FreshRunOptions, "signal" | "onOutput"> = {}): Promise<Run> {
    const { policy } = options;
    const json = { ...bodyOf(code, options), ...(policy ? { policy } : {}), ...specsOf(options), background: true };
    const run = await this.#transport.json<RunInfo>("/v1/runs", { method: "POST", json });
    return new Run(this.#transport, run.id);
  }

  /** A run by its identifier. */
  getRun(id: string): Run {
    return new Run(this.#transport, id);
  }

  /** Runs of the caller, the latest first; those of one sandbox, if it is named. */
  async listRuns(options: { sandbox?: string; limit?: number } = {}): Promise<RunInfo[]> {
    const query = new URLSearchParams();
    if (options.sandbox) query.set("sandbox", options.sandbox);
    if (options.limit) query.set("limit", String(options.limit));
    return (await this.#transport.json<{ runs: RunInfo[] }>(`/v1/runs?${query}`)).runs;
  }

  /** Snapshots of the caller, the latest first. */
  async listSnapshots(): Promise<SnapshotInfo[]> {
    return (await this.#transport.json<{ snapshots: SnapshotInfo[] }>("/v1/snapshots")).snapshots;
  }

  /** Deletes a snapshot. Sandboxes that continue from it are not affected. */
  async deleteSnapshot(id: string): Promise<void> {
    await this.#transport.json(`/v1/snapshots/${encodeURIComponent(id)}`, { method: "DELETE" });
  }

  /** The state of the server. */
  async health(): Promise<Health> {
    return await this.#transport.json("/v1/health");
  }
}
