import { IsoletteError } from "./errors.js";

/** A server-sent event (WHATWG HTML, section 9.2). */
export interface ServerSentEvent {
  id: string;
  event: string;
  data: string;
}

/** Maximum number of characters of one event. */
const LENGTH = 64 << 20;

/** Reads the events of a stream of bytes, however it is cut into parts. */
export async function* serverSentEvents(parts: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = "";
  let [id, event, data] = ["", "", [] as string[]];
  let length = 0;
  for await (const part of parts) {
    rest += decoder.decode(part, { stream: true });
    // A carriage return at the end may be the first half of a line break.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length + length > LENGTH) throw tooLong();
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield { id, event: event || "message", data: data.join("\n") };
        [event, data, length] = ["", [], 0];
        continue;
      }
      length += line.length;
      if (length > LENGTH) throw tooLong();
      const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (field === "data") data.push(value ?? "");
      else if (field === "event") event = value ?? "";
      else if (field === "id") id = value ?? "";
    }
  }
}

function tooLong(): IsoletteError {
  return new IsoletteError("TooLarge", `an event has more than ${LENGTH} characters`, "limit the output of the program");
}
