import type { IncomingMessage } from "node:http";
import { IsoletteError } from "./errors.js";
import { serverSentEvents } from "./events.js";
import { type ToolOptions, answerTo } from "./tools.js";
import type { Transport } from "./transport.js";
import type { Answer, ExecutionResult, LogPart, RunEvent, RunInfo } from "./types.js";

/** How often the events of a run are asked for again after the connection broke, without an event in between. */
const RECONNECTS = 5;

/** A program that runs, or has run. It goes on without this object. */
export class Run {
  /** Its identifier: `run_…`. */
  readonly id: string;
  readonly #transport: Transport;

  /** @internal */
  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
  }

  get #path(): string {
    return `/v1/runs/${encodeURIComponent(this.id)}`;
  }

  /** The run as it is now. */
  async inspect(): Promise<RunInfo> {
    return await this.#transport.json(this.#path);
  }

  /** Waits until the run has ended or is paused, and returns it. */
  async wait(options: { signal?: AbortSignal } = {}): Promise<RunInfo> {
    for (;;) {
      const run = await this.#transport.json<RunInfo>(`${this.#path}?wait=1m`, options);
      if (run.ended_at || run.state === "paused") return run;
    }
  }

  /** What the program did. Throws {@link IsoletteError} if the host ended it: at a limit, or because it was cancelled. */
  async result(options: { signal?: AbortSignal } = {}): Promise<ExecutionResult> {
    return resultOf(await this.wait(options));
  }

  /** The events of the run from the beginning to its end, also if the connection breaks meanwhile. */
  async *events(options: { signal?: AbortSignal } = {}): AsyncGenerator<RunEvent> {
    let last = "";
    for (let attempt = 0; ; ) {
      try {
        const headers: Record<string, string> = last ? { "last-event-id": last } : {};
        const response = await this.#transport.stream(`${this.#path}/events`, { ...options, accept: "text/event-stream", headers });
        for await (const { id, event } of eventsOf(response)) {
          [last, attempt] = [id, 0];
          yield event;
          if (event.type === "end") return;
        }
      } catch (error) {
        if (options.signal?.aborted || (error instanceof IsoletteError && error.type !== "Connection")) throw error;
        if (attempt >= RECONNECTS) throw error;
      }
      if ((attempt += 1) > RECONNECTS) throw new IsoletteError("Connection", "the events of the run broke off", "ask for the run");
    }
  }

  /** Output of the run from an offset in bytes, of one stream or of both in the order in which it was written. */
  async logs(options: { offset?: number; stream?: "stdout" | "stderr" } = {}): Promise<LogPart> {
    const query = new URLSearchParams({ offset: String(options.offset ?? 0) });
    if (options.stream) query.set("stream", options.stream);
    return await this.#transport.json(`${this.#path}/logs?${query}`);
  }

  /** Cancels the run, and returns it when it has ended. */
  async cancel(): Promise<RunInfo> {
    return await this.#transport.json(`${this.#path}/cancel`, { method: "POST", json: {} });
  }

  /** Answers calls that wait, by their numbers. */
  async answer(answers: Record<number, Answer>): Promise<RunInfo> {
    return await this.#transport.json(`${this.#path}/answers`, { method: "POST", json: { answers } });
  }
}

/** Runs a program, answers its calls, and yields its events. It ends with the generator. */
export async function* stream(
  transport: Transport,
  path: string,
  body: Record<string, unknown>,
  tools: ToolOptions,
  signal?: AbortSignal,
): AsyncGenerator<RunEvent> {
  const ending = new AbortController();
  const signals = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
  const answered = new Set<number>();
  let run: Run | undefined;
  try {
    const options = { method: "POST", json: body, accept: "text/event-stream", signal: signals } as const;
    for await (const { event } of eventsOf(await transport.stream(path, options))) {
      if (event.type === "state") run ??= new Run(transport, event.run);
      // A program outside of sandboxes is paused while its calls wait; in a sandbox it waits with its guest.
      const isPaused = event.type === "state" && event.state === "paused";
      const calls = event.type === "calls" ? event.calls : isPaused && run ? (await run.inspect()).calls : [];
      if (isPaused) answered.clear();
      for (const call of calls.filter((waiting) => !answered.has(waiting.id))) {
        answered.add(call.id);
        // The program waits, and others of its calls may be answered before.
        if (run) void answer(run, call.id, answerTo(call, tools, signals));
      }
      yield event;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    ending.abort();
  }
}

async function answer(run: Run, id: number, answering: Promise<Answer | undefined>): Promise<void> {
  const found = await answering;
  // Somebody else may answer a call that no function here is for, and the run may have ended meanwhile.
  if (found !== undefined) await run.answer({ [id]: found }).catch(() => undefined);
}

async function* eventsOf(response: IncomingMessage): AsyncGenerator<{ id: string; event: RunEvent }> {
  try {
    for await (const { id, event, data } of serverSentEvents(response as AsyncIterable<Buffer>)) {
      const parsed = JSON.parse(data);
      if (event === "end") yield { id, event: { type: "end", run: parsed } };
      else yield { id, event: { type: event, ...parsed } as RunEvent };
    }
  } finally {
    response.destroy();
  }
}

/** The result of a run that has ended by itself. */
export function resultOf(run: RunInfo): ExecutionResult {
  if (run.error) throw new IsoletteError(run.error.type, run.error.message, run.error.hint);
  if (!run.result) throw new IsoletteError("Paused", `the run ${run.id} is ${run.state}`, "answer its calls, or wait for its end");
  return run.result;
}
