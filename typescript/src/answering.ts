import { IsoletteError } from "./errors.js";
import { type ToolOptions, answerTo } from "./tools.js";
import type { Answer, PausedCall, RunInfo } from "./types.js";

/** A run as far as it can be answered. */
interface Answerable {
  answer(answers: Record<number, Answer>): Promise<RunInfo>;
}

/** Answers the calls of one run. Each function is called once for each call, however often the call is seen to wait. */
export class Answering {
  readonly #run: Answerable;
  readonly #tools: ToolOptions;
  readonly #signal: AbortSignal;
  readonly #fail: (error: unknown) => void;
  readonly #answers = new Map<string, Promise<Answer | undefined>>();
  readonly #sent = new Set<string>();

  /** `signal` is passed to the functions. `fail` is called with the reason why a call cannot be answered. */
  constructor(run: Answerable, tools: ToolOptions, signal: AbortSignal, fail: (error: unknown) => void) {
    [this.#run, this.#tools, this.#signal, this.#fail] = [run, tools, signal, fail];
  }

  /** Answers each call as soon as its function has returned. The program waits in its guest, with other calls in flight. */
  each(calls: PausedCall[]): void {
    for (const call of calls) void this.#answer([call]);
  }

  /** Answers all calls at once: a program that is paused goes on with the first request, and others would come too late. */
  together(calls: PausedCall[]): void {
    void this.#answer(calls);
  }

  async #answer(calls: PausedCall[]): Promise<void> {
    const fresh = calls.filter((call) => !this.#sent.has(keyOf(call)));
    const found = await Promise.all(fresh.map(async (call) => ({ call, answer: await this.#answerTo(call) })));
    const answers: Record<number, Answer> = {};
    for (const { call, answer } of found) {
      // Something else may answer a call that no function here is for.
      if (answer === undefined || this.#sent.has(keyOf(call))) continue;
      this.#sent.add(keyOf(call));
      answers[call.id] = answer;
    }
    if (Object.keys(answers).length === 0 || this.#signal.aborted) return;
    try {
      const isTaken = await this.#send(answers);
      // Calls that still wait are seen again, and get the answers that there are.
      for (const call of fresh) (isTaken ? this.#answers : this.#sent).delete(keyOf(call));
    } catch (error) {
      this.#fail(error);
    }
  }

  #answerTo(call: PausedCall): Promise<Answer | undefined> {
    const key = keyOf(call);
    const known = this.#answers.get(key) ?? answerTo(call, this.#tools, this.#signal);
    this.#answers.set(key, known);
    return known;
  }

  /** Returns whether the answers were taken: all of them, or none. */
  async #send(answers: Record<number, Answer>): Promise<boolean> {
    try {
      await this.#run.answer(answers);
      return true;
    } catch (error) {
      if (isTooLate(error) || this.#signal.aborted) return false;
      if (!(error instanceof IsoletteError)) throw error;
      // A result that the server does not take, such as one that is too long, is an exception in the program.
      const others = Object.entries(answers).map(([id, answer]) => [id, withoutValue(answer, error)] as const);
      return await this.#run.answer(Object.fromEntries(others)).then(
        () => true,
        (again: unknown) => {
          if (isTooLate(again) || this.#signal.aborted) return false;
          throw again;
        },
      );
    }
  }
}

/** A call that needs approval asks twice with the same number. */
function keyOf(call: PausedCall): string {
  return `${call.id} ${call.asks}`;
}

/** Whether the run has ended, or a call was answered elsewhere. */
function isTooLate(error: unknown): boolean {
  return error instanceof IsoletteError && (error.status === 404 || error.status === 409);
}

function withoutValue(answer: Answer, why: IsoletteError): Answer {
  return typeof answer === "object" && "value" in answer ? { error: `the result could not be sent: ${why.message}` } : answer;
}
