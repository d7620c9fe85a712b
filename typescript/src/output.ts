import { TextDecoder } from "node:util";
import type { OutputEvent } from "./types.js";

/** Output as the server sends it: text, or bytes that are not UTF-8 as they stand. */
export type SentOutput = { stream: OutputEvent["stream"] } & ({ text: string } | { base64: string });

/** Reads the output of one run as text, in which characters may be cut anywhere. */
export class OutputText {
  readonly #decoders = new Map<OutputEvent["stream"], TextDecoder>();

  /** The event for a part of the output, which follows those before it. */
  read(sent: SentOutput): OutputEvent {
    const { stream } = sent;
    let decoder = this.#decoders.get(stream);
    if ("text" in sent) {
      // A part that was cut may precede it.
      const text = decoder ? decoder.decode(Buffer.from(sent.text), { stream: true }) : sent.text;
      return { type: "output", stream, text };
    }
    // Programs may write the mark U+FEFF.
    decoder ??= new TextDecoder("utf-8", { ignoreBOM: true });
    this.#decoders.set(stream, decoder);
    const bytes = new Uint8Array(Buffer.from(sent.base64, "base64"));
    return { type: "output", stream, text: decoder.decode(bytes, { stream: true }), bytes };
  }

  /** Events for characters whose last part never came. */
  end(): OutputEvent[] {
    const rest = [...this.#decoders].map(([stream, decoder]) => ({ type: "output" as const, stream, text: decoder.decode() }));
    return rest.filter(({ text }) => text !== "");
  }
}
