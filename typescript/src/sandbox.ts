import { IsoletteError } from "./errors.js";
import { Run, resultOf, stream } from "./run.js";
import type { ToolOptions } from "./tools.js";
import type { Transport } from "./transport.js";
import type { ContextInfo, Duration, ExecutionResult, FileInfo, InspectedSandbox, Language, RunEvent, RunInfo, RunOptions, SandboxInfo, SnapshotInfo } from "./types.js";

/** A sandbox on the server: a policy, contexts that keep their state from one program to the next, and files. */
export class Sandbox implements AsyncDisposable {
  /** Its identifier: `sb_…`; or the name by which it was found. */
  readonly id: string;
  readonly #transport: Transport;
  readonly #tools: ToolOptions;

  /** @internal */
  constructor(transport: Transport, id: string, tools: ToolOptions = {}) {
    [this.#transport, this.id, this.#tools] = [transport, id, tools];
  }

  /** Runs a program, and answers its calls of tools. Throws {@link IsoletteError} if the host ended it; an exception is in the result. */
  async run(code: string, options: RunOptions = {}): Promise<ExecutionResult> {
    let last: RunInfo | undefined;
    for await (const event of this.stream(code, options)) {
      if (event.type === "end") last = event.run;
      if (event.type === "output") options.onOutput?.(textOf(event), event.stream);
    }
    if (!last) throw new IsoletteError("Connection", "the connection broke off before the end of the program", "look at the runs of the sandbox");
    return resultOf(last);
  }

  /** Runs a program, and yields what happens. The program is cancelled if the loop over it is left. */
  stream(code: string, options: RunOptions = {}): AsyncGenerator<RunEvent> {
    return stream(this.#transport, this.#path("/runs"), bodyOf(code, options), this.#tools, options.signal);
  }

  /** Begins a program in the background. It goes on without this process, which answers none of its calls. */
  async start(code: string, options: Omit<RunOptions, "signal" | "onOutput"> = {}): Promise<Run> {
    const json = { ...bodyOf(code, options), background: true };
    const run = await this.#transport.json<RunInfo>(this.#path("/runs"), { method: "POST", json });
    return new Run(this.#transport, run.id);
  }

  /** The sandbox with its effective policy. */
  async inspect(): Promise<InspectedSandbox> {
    return await this.#transport.json(this.#path());
  }

  /** Changes how long the sandbox exists from now on, and how long it may be unused before it is saved. */
  async extend(times: { ttl?: Duration; idle?: Duration }): Promise<SandboxInfo> {
    return await this.#transport.json(this.#path(), { method: "PATCH", json: times });
  }

  /** Deletes the sandbox with its contexts and files. Its runs are cancelled. */
  async delete(): Promise<void> {
    await this.#transport.json(this.#path(), { method: "DELETE" });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.delete().catch((error: unknown) => {
      if (!(error instanceof IsoletteError && error.status === 404)) throw error;
    });
  }

  /** Saves the sandbox, and ends its guests. The next program starts them again. */
  async pause(): Promise<SandboxInfo> {
    return await this.#transport.json(this.#path("/pause"), { method: "POST", json: {} });
  }

  /** Starts the guests of a sandbox that is paused, so that the next program begins sooner. */
  async resume(): Promise<SandboxInfo> {
    return await this.#transport.json(this.#path("/resume"), { method: "POST", json: {} });
  }

  /** Makes sandboxes that continue from the present state of this one, with its tools. */
  async fork(count = 1): Promise<Sandbox[]> {
    const { sandboxes } = await this.#transport.json<{ sandboxes: SandboxInfo[] }>(this.#path("/fork"), { method: "POST", json: { count } });
    return sandboxes.map((made) => new Sandbox(this.#transport, made.id, this.#tools));
  }

  /** Takes a snapshot of the contexts and files. */
  async snapshot(note = ""): Promise<SnapshotInfo> {
    return await this.#transport.json(this.#path("/snapshots"), { method: "POST", json: { note } });
  }

  /** Returns the sandbox to the state of a snapshot. */
  async restore(snapshot: string | SnapshotInfo): Promise<SandboxInfo> {
    const json = { snapshot: typeof snapshot === "string" ? snapshot : snapshot.id };
    return await this.#transport.json(this.#path("/restore"), { method: "POST", json });
  }

  /** The contexts of the sandbox. */
  async listContexts(): Promise<ContextInfo[]> {
    return (await this.#transport.json<{ contexts: ContextInfo[] }>(this.#path("/contexts"))).contexts;
  }

  /** Makes a context. A program that names one that does not exist makes it, too. */
  async createContext(name: string, language?: Language): Promise<ContextInfo> {
    return await this.#transport.json(this.#path("/contexts"), { method: "POST", json: { name, ...(language ? { language } : {}) } });
  }

  /** Deletes a context, and cancels what runs in it. */
  async deleteContext(name: string): Promise<void> {
    await this.#transport.json(this.#path(`/contexts/${encodeURIComponent(name)}`), { method: "DELETE" });
  }

  /** Lists a folder: a path in `/workspace` or `/output`; relative ones are in `/workspace`. */
  async listFiles(path = ""): Promise<FileInfo[]> {
    return (await this.#transport.json<{ files: FileInfo[] }>(this.#path(`/files?${query(path)}`))).files;
  }

  /** The bytes of a file. */
  async readFile(path: string): Promise<Uint8Array> {
    return await this.#transport.bytes(this.#path(`/files/content?${query(path)}`));
  }

  /** Writes a file as a whole, and the folders above it. */
  async writeFile(path: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    await this.#transport.bytes(this.#path(`/files/content?${query(path)}`), { method: "PUT", bytes });
  }

  /** Deletes a file, or a folder with everything in it. */
  async deleteFile(path: string): Promise<void> {
    await this.#transport.bytes(this.#path(`/files/content?${query(path)}`), { method: "DELETE" });
  }

  #path(rest = ""): string {
    return `/v1/sandboxes/${encodeURIComponent(this.id)}${rest}`;
  }
}

function query(path: string): string {
  return new URLSearchParams({ path }).toString();
}

/** The body of a request that runs a program. */
export function bodyOf(code: string, options: RunOptions): Record<string, unknown> {
  const { context, language, timeout, variables, filename, rollbackOnError } = options;
  const given = { context, language, timeout, variables, filename, rollback_on_error: rollbackOnError };
  return { code, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}

/** Output as text. What is not UTF-8 has replacement characters. */
export function textOf(event: Extract<RunEvent, { type: "output" }>): string {
  return "text" in event ? event.text : Buffer.from(event.base64, "base64").toString("utf8");
}
