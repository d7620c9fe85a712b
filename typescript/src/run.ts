import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { IsoletteError, brokenOff } from "./errors.js";
import { serverSentEvents } from "./events.js";
import { OutputText, type SentOutput } from "./output.js";
import { parse } from "./response.js";
import type { Transport } from "./transport.js";
import type { Answer, CallOptions, ExecutionResult, LogPart, RunEvent, RunInfo } from "./types.js";

/** How often the events of a run are asked for again after the connection broke, without an event in between: for some 15 s. */
const RECONNECTS = 8;

/** The longest time between two of them, in milliseconds. */
const LONGEST_PAUSE = 5000;

/** A program that runs, or has run. It goes on without this object. */
export class Run {
  /** Its identifier: `run-…`. */
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
  async inspect(options: CallOptions = {}): Promise<RunInfo> {
    return await this.#transport.json(this.#path, options);
  }

  /** Waits until the run has ended or is paused, and returns it. */
  async wait(options: CallOptions = {}): Promise<RunInfo> {
    for (;;) {
      const run = await this.#transport.json<RunInfo>(`${this.#path}?wait=1m`, options);
      if (run.ended_at || run.state === "paused") return run;
    }
  }

  /**
   * Waits for the end of the run, and returns what the program did. Throws {@link IsoletteError} if the host ended it (at a
   * limit, or because it was cancelled), and with the type `Paused` if it waits for answers.
   */
  async result(options: CallOptions = {}): Promise<ExecutionResult> {
    return resultOf(await this.wait(options));
  }

  /**
   * The events of the run from the beginning to its end, also if the connection breaks meanwhile. Leaving the loop cancels
   * nothing.
   */
  async *events(options: CallOptions = {}): AsyncGenerator<RunEvent> {
    const { signal } = options;
    const output = new OutputText();
    let last = "";
    for (let attempt = 0; ; attempt += 1) {
      let failure: unknown = brokenOff();
      try {
        const headers: Record<string, string> = last ? { "last-event-id": last } : {};
        const response = await this.#transport.stream(`${this.#path}/events`, { signal, headers });
        for await (const { id, event } of eventsOf(response, output)) {
          [last, attempt] = [id, 0];
          yield event;
          if (event.type === "end") return;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (!canPass(error)) throw error;
        failure = error;
      }
      if (attempt >= RECONNECTS) throw failure;
      const pause = Math.min(100 * 2 ** attempt, LONGEST_PAUSE);
      await sleep(pause, undefined, { signal }).catch(() => signal?.throwIfAborted());
    }
  }

  /**
   * Output of the run from an offset in bytes, of one stream or of both in the order in which it was written. Up to 4 MiB; the
   * rest is at `next_offset`.
   */
  async logs(options: { offset?: number; stream?: "stdout" | "stderr" } & CallOptions = {}): Promise<LogPart> {
    const query = new URLSearchParams({ offset: String(options.offset ?? 0) });
    if (options.stream) query.set("stream", options.stream);
    return await this.#transport.json(`${this.#path}/logs?${query}`, { signal: options.signal });
  }

  /** Cancels the run, and returns it when it has ended. */
  async cancel(options: CallOptions = {}): Promise<RunInfo> {
    return await this.#transport.json(`${this.#path}/cancel`, { ...options, method: "POST", json: {} });
  }

  /** Answers calls that wait, by their numbers: all of them, or none. A paused run goes on in the background. */
  async answer(answers: Record<number, Answer>, options: CallOptions = {}): Promise<RunInfo> {
    return await this.#transport.json(`${this.#path}/answers`, { ...options, method: "POST", json: { answers } });
  }
}

/** Whether asking again can help. */
function canPass(error: unknown): boolean {
  return error instanceof IsoletteError && (error.type === "Connection" || error.status === 429 || error.status === 503);
}

/** The events of a response with their numbers, up to the end of the run. */
export async function* eventsOf(
  response: IncomingMessage,
  output: OutputText,
): AsyncGenerator<{ id: string; event: RunEvent }> {
  let hasEnded = false;
  try {
    // The connection is used again: nothing but the end of the response comes after the end of the run.
    const parts = response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const { id, event, data } of serverSentEvents(parts)) {
      const parsed = parse(data);
      if (event === "output") {
        yield { id, event: output.read(parsed as SentOutput) };
        continue;
      }
      if (event === "end") {
        for (const rest of output.end()) yield { id, event: rest };
        hasEnded = true;
        yield { id, event: { type: "end", run: parsed as RunInfo } };
        return;
      }
      yield { id, event: { type: event, ...(parsed as object) } as RunEvent };
    }
  } catch (error) {
    throw error instanceof IsoletteError ? error : brokenOff(error);
  } finally {
    if (hasEnded) response.resume();
    else response.destroy();
  }
}

/** The result of a run that has ended by itself. */
export function resultOf(run: RunInfo): ExecutionResult {
  if (run.error) throw new IsoletteError(run.error.type, run.error.message, run.error.hint);
  if (!run.result) {
    throw new IsoletteError("Paused", `the run ${run.id} is ${run.state}`, "answer its calls, or wait for its end");
  }
  return run.result;
}
