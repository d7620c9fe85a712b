import { Answering } from "./answering.js";
import { brokenOff } from "./errors.js";
import { Run, eventsOf, resultOf } from "./run.js";
import { OutputText } from "./output.js";
import type { ToolOptions } from "./tools.js";
import type { Transport } from "./transport.js";
import type { ExecutionResult, RunEvent, RunInfo, RunOptions } from "./types.js";

/** Runs a program, answers its calls, and yields its events. It ends with the generator, and with its connection. */
export async function* stream(
  transport: Transport,
  path: string,
  body: Record<string, unknown>,
  tools: ToolOptions,
  signal?: AbortSignal,
): AsyncGenerator<RunEvent> {
  const [failing, ending] = [new AbortController(), new AbortController()];
  const ofRequest = AbortSignal.any(signal ? [signal, failing.signal] : [failing.signal]);
  const ofTools = AbortSignal.any([ofRequest, ending.signal]);
  let [run, answering]: [Run | undefined, Answering | undefined] = [undefined, undefined];
  let isPaused = false;
  try {
    const response = await transport.stream(path, { method: "POST", json: body, signal: ofRequest });
    for await (const { event } of eventsOf(response, new OutputText())) {
      if (event.type === "state") {
        run ??= new Run(transport, event.run);
        answering ??= new Answering(run, tools, ofTools, (error) => failing.abort(error));
      }
      if (event.type === "calls") answering?.each(event.calls);
      if (event.type === "state") isPaused = event.state === "paused";
      // A program outside of sandboxes is paused while its calls wait, and one in a sandbox with `pauses`; others wait with their guests.
      if (isPaused && event.type === "state") {
        const paused = await run?.inspect({ signal: ofRequest });
        answering?.together(paused?.calls ?? []);
      }
      yield event;
    }
  } catch (error) {
    // A program that is paused does not depend on the connection.
    if (!ofRequest.aborted) isPaused = false;
    ofRequest.throwIfAborted();
    throw error;
  } finally {
    ending.abort();
    // The server cancels only a program that runs.
    if (isPaused) await run?.cancel().catch(() => undefined);
  }
}

/** The result of a program whose events these are. */
export async function resultOfStream(
  events: AsyncGenerator<RunEvent>,
  onOutput: RunOptions["onOutput"],
): Promise<ExecutionResult> {
  let last: RunInfo | undefined;
  for await (const event of events) {
    if (event.type === "end") last = event.run;
    if (event.type === "output" && event.text !== "") onOutput?.(event.text, event.stream);
  }
  if (!last) throw brokenOff();
  return resultOf(last);
}

/** The body of a request that runs a program. */
export function bodyOf(code: string, options: RunOptions): Record<string, unknown> {
  const { context, language, timeout, variables, filename, rollbackOnError } = options;
  const given = { context, language, timeout, variables, filename, rollback_on_error: rollbackOnError };
  return { code, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) };
}
