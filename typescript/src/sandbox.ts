import { IsoletteError } from "./errors.js";
import { bodyOf, resultOfStream, stream } from "./foreground.js";
import { Run } from "./run.js";
import type { Tool, ToolOptions } from "./tools.js";
import type { RequestOptions, Transport } from "./transport.js";
import type {
  CallOptions, ContextInfo, Duration, ExecutionResult, FileList, InspectedSandbox, Language, RunEvent, RunInfo, RunOptions,
  SandboxInfo, SnapshotInfo,
} from "./types.js";

/** A sandbox on the server: a policy, contexts that keep their state from one program to the next, and files. */
export class Sandbox implements AsyncDisposable {
  /** Its identifier: `sb-…`; or the name by which it was found. */
  readonly id: string;
  readonly #transport: Transport;
  readonly #tools: ToolOptions;

  /** @internal */
  constructor(transport: Transport, id: string, tools: ToolOptions = {}) {
    [this.#transport, this.id, this.#tools] = [transport, id, tools];
  }

  /** The functions of this process that its programs can call. */
  get tools(): readonly Tool[] {
    return this.#tools.tools ?? [];
  }

  /**
   * Runs a program, and answers its calls of tools. Programs of one context run one after another. Throws {@link IsoletteError}
   * if the host ended it; an exception is in the result.
   */
  async run(code: string, options: RunOptions = {}): Promise<ExecutionResult> {
    return await resultOfStream(this.stream(code, options), options.onOutput);
  }

  /** Runs a program, and yields what happens. The program is cancelled if the loop over it is left. */
  stream(code: string, options: Omit<RunOptions, "onOutput"> = {}): AsyncGenerator<RunEvent> {
    return stream(this.#transport, this.#path("/runs"), bodyOf(code, options), this.#tools, options.signal);
  }

  /**
   * Begins a program in the background. It goes on without this process, which answers none of its calls: {@link Run.answer}.
   */
  async start(code: string, options: Omit<RunOptions, "onOutput"> = {}): Promise<Run> {
    const json = { ...bodyOf(code, options), background: true };
    const run = await this.#post<RunInfo>("/runs", json, options);
    return new Run(this.#transport, run.id);
  }

  /** The sandbox with its effective policy. */
  async inspect(options: CallOptions = {}): Promise<InspectedSandbox> {
    return await this.#send("", options);
  }

  /** Changes how long the sandbox exists from now on, and how long it may be unused before it is saved. */
  async extend(times: { ttl?: Duration; idle?: Duration }, options: CallOptions = {}): Promise<SandboxInfo> {
    return await this.#send("", { ...options, method: "PATCH", json: times });
  }

  /** Deletes the sandbox with its contexts and files. Its runs are cancelled, and its snapshots remain. */
  async delete(options: CallOptions = {}): Promise<void> {
    await this.#send("", { ...options, method: "DELETE" });
  }

  /** Deletes the sandbox, if it exists: `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete().catch((error: unknown) => {
      if (!(error instanceof IsoletteError && error.status === 404)) throw error;
    });
  }

  /** Saves the sandbox, and ends its guests. The next program starts them again. */
  async pause(options: CallOptions = {}): Promise<SandboxInfo> {
    return await this.#post("/pause", {}, options);
  }

  /** Starts the guests of a sandbox that is paused, so that the next program begins sooner. */
  async resume(options: CallOptions = {}): Promise<SandboxInfo> {
    return await this.#post("/resume", {}, options);
  }

  /** Makes sandboxes that continue from the present state of this one, with its tools. `count` is from 1 to 100. */
  async fork(count = 1, options: CallOptions = {}): Promise<Sandbox[]> {
    const { sandboxes } = await this.#post<{ sandboxes: SandboxInfo[] }>("/fork", { count }, options);
    return sandboxes.map((made) => new Sandbox(this.#transport, made.id, this.#tools));
  }

  /** Takes a snapshot of the contexts and files, when no program runs. `note` is a text of up to 1,000 characters. */
  async snapshot(note = "", options: CallOptions = {}): Promise<SnapshotInfo> {
    return await this.#post("/snapshots", { note }, options);
  }

  /** Returns the sandbox to the state of a snapshot. Its policy and its tools stay. */
  async restore(snapshot: string | SnapshotInfo, options: CallOptions = {}): Promise<SandboxInfo> {
    return await this.#post("/restore", { snapshot: typeof snapshot === "string" ? snapshot : snapshot.id }, options);
  }

  /** The contexts of the sandbox. */
  async listContexts(options: CallOptions = {}): Promise<ContextInfo[]> {
    return (await this.#send<{ contexts: ContextInfo[] }>("/contexts", options)).contexts;
  }

  /** Makes a context. A program that names one that does not exist makes it, too. */
  async createContext(name: string, language?: Language, options: CallOptions = {}): Promise<ContextInfo> {
    return await this.#post("/contexts", { name, ...(language ? { language } : {}) }, options);
  }

  /** Deletes a context, and cancels what runs in it. */
  async deleteContext(name: string, options: CallOptions = {}): Promise<void> {
    await this.#send(`/contexts/${encodeURIComponent(name)}`, { ...options, method: "DELETE" });
  }

  /** Lists a folder: a path in `/workspace` or `/output`; relative ones are in `/workspace`. */
  async listFiles(path = "", options: CallOptions = {}): Promise<FileList> {
    return await this.#send(`/files?${query(path)}`, options);
  }

  /** The bytes of a file. */
  async readFile(path: string, options: CallOptions = {}): Promise<Uint8Array> {
    return await this.#transport.bytes(this.#path(`/files/content?${query(path)}`), options);
  }

  /** Writes a file as a whole, and the folders above it. */
  async writeFile(path: string, content: string | Uint8Array, options: CallOptions = {}): Promise<void> {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    await this.#send(`/files/content?${query(path)}`, { ...options, method: "PUT", bytes });
  }

  /** Deletes a file, or a folder with everything in it. */
  async deleteFile(path: string, options: CallOptions = {}): Promise<void> {
    await this.#send(`/files/content?${query(path)}`, { ...options, method: "DELETE" });
  }

  async #post<T>(rest: string, json: unknown, { signal }: CallOptions): Promise<T> {
    return await this.#send(rest, { method: "POST", json, signal });
  }

  async #send<T>(rest: string, options: RequestOptions): Promise<T> {
    return await this.#transport.json(this.#path(rest), options);
  }

  #path(rest: string): string {
    return `/v1/sandboxes/${encodeURIComponent(this.id)}${rest}`;
  }
}

function query(path: string): string {
  return new URLSearchParams({ path }).toString();
}
