import type { IncomingMessage } from "node:http";
import { IsoletteError, brokenOff } from "./errors.js";
import { parse as parseJson } from "./json.js";

/** Maximum length of a response that is not streamed, in bytes. */
const LENGTH = 1 << 30;

/** A response that refuses a request. */
export class Refused extends IsoletteError {
  /** When to try again, in seconds. */
  retryAfter = 1;
}

/** Reads a response that refuses a request. */
export async function refused(response: IncomingMessage): Promise<Refused> {
  const status = response.statusCode ?? 0;
  const text = (await collect(response)).toString("utf8");
  let error: { type?: string; message?: string; hint?: string } = {};
  try {
    error = JSON.parse(text).error ?? {};
  } catch {
    // Something that is not this server has answered.
  }
  const message = error.message ?? `the server answers with status ${status}: ${text.slice(0, 200)}`;
  const failure = new Refused(error.type ?? "Http", message, error.hint, status);
  const seconds = Number(response.headers["retry-after"]);
  if (Number.isFinite(seconds) && seconds >= 0) failure.retryAfter = seconds;
  return failure;
}

/** Reads a response as a whole. */
export async function collect(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length > LENGTH) break;
    }
  } catch (error) {
    throw brokenOff(error);
  }
  // Leaving the loop has closed the connection.
  if (length > LENGTH) {
    throw new IsoletteError("TooLarge", `the response has more than ${LENGTH} bytes`, "ask for less at a time");
  }
  return Buffer.concat(parts);
}

/** Reads JSON. An empty text is `undefined`. */
export function parse(text: string): unknown {
  try {
    return text === "" ? undefined : parseJson(text);
  } catch (error) {
    const hint = "check that the URL is that of `isolette serve`";
    throw new IsoletteError("Http", `the response is not JSON: ${text.slice(0, 200)}`, hint, undefined, error);
  }
}
