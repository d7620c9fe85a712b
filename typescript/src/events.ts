import { IsoletteError } from "./errors.js";

/** A server-sent event (WHATWG HTML, section 9.2). */
export interface ServerSentEvent {
  /** That of this event, or of the last one before it that had one. */
  id: string;
  /** Its name; `message` if it has none. */
  event: string;
  data: string;
}

/** Maximum number of characters of one event. */
const LENGTH = 64 << 20;

/** Reads the events of a stream of bytes, however it is cut into parts. */
export async function* serverSentEvents(parts: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  // The parts of a line that has not ended. They are joined once, however many there are.
  let begun: string[] = [];
  let endsWithReturn = false;
  let [id, event, data] = ["", "", [] as string[]];
  let length = 0;
  for await (const part of parts) {
    let text = decoder.decode(part, { stream: true });
    if (text === "") continue;
    // A line break of two characters may be cut in the middle.
    if (endsWithReturn && text.startsWith("\n")) text = text.slice(1);
    endsWithReturn = text.endsWith("\r");
    const lines = text.split(/\r\n|\n|\r/);
    const rest = lines.pop() ?? "";
    for (const ended of lines) {
      const line = begun.length > 0 ? begun.join("") + ended : ended;
      begun = [];
      length += ended.length;
      if (length > LENGTH) throw tooLong();
      if (line === "") {
        if (data.length > 0) yield { id, event: event || "message", data: data.join("\n") };
        [event, data, length] = ["", [], 0];
        continue;
      }
      const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (field === "data") data.push(value ?? "");
      else if (field === "event") event = value ?? "";
      else if (field === "id") id = value ?? "";
    }
    if (rest !== "") begun.push(rest);
    length += rest.length;
    if (length > LENGTH) throw tooLong();
  }
}

function tooLong(): IsoletteError {
  return new IsoletteError("TooLarge", `an event has more than ${LENGTH} characters`, "limit the output of the program");
}
