import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, type ClientOptions, addressOf } from "./address.js";
import { IsoletteError, brokenOff, unreachable } from "./errors.js";
import { stringify } from "./json.js";
import { Refused, collect, parse, refused } from "./response.js";

/** A request to the server. */
export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  json?: unknown;
  bytes?: Uint8Array;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

/** The longest time that `Retry-After` is followed, in seconds. */
const LONGEST_RETRY = 30;

/** How long the connection of a stream may be silent, in milliseconds. The server sends a comment every 15 seconds. */
const SILENCE = 60_000;

/** Causes for which nothing of a request was sent. */
const NOT_SENT = ["ECONNREFUSED", "ENOENT"];

/** Sends requests over connections that are kept. */
export class Transport {
  readonly #address: Address;
  readonly #retries: number;

  constructor(options: ClientOptions) {
    this.#address = addressOf(options);
    this.#retries = options.retries ?? 2;
  }

  /** Sends a request, and returns the body of the response as JSON, or `undefined` if it is empty. */
  async json<T>(path: string, options: RequestOptions = {}): Promise<T> {
    return parse((await this.bytes(path, options)).toString("utf8")) as T;
  }

  /** Sends a request, and returns the body of the response. */
  async bytes(path: string, options: RequestOptions = {}): Promise<Buffer> {
    // With a key, a POST request that is sent again is done once.
    const key: Record<string, string> = options.method === "POST" ? { "idempotency-key": randomUUID() } : {};
    const headers = { ...options.headers, ...key };
    return await this.#again(options.signal, true, async () => collect(await this.#send(path, { ...options, headers })));
  }

  /** Sends a request for events, and returns the response as it comes. */
  async stream(path: string, options: RequestOptions = {}): Promise<IncomingMessage> {
    const headers = { ...options.headers, accept: "text/event-stream" };
    const isOnce = options.method !== "POST";
    return await this.#again(options.signal, isOnce, () => this.#send(path, { ...options, headers }, SILENCE));
  }

  /** Repeats what failed for a reason that can pass. `isOnce` says that repeating it does nothing twice. */
  async #again<T>(signal: AbortSignal | undefined, isOnce: boolean, send: () => Promise<T>): Promise<T> {
    let hasBroken = false;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await send();
      } catch (error) {
        signal?.throwIfAborted();
        const seconds = attempt < this.#retries ? timeUntilNext(error, attempt, isOnce, hasBroken) : undefined;
        if (seconds === undefined) throw error;
        hasBroken ||= error instanceof IsoletteError && error.type === "Connection";
        await sleep(seconds * 1000, undefined, { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  }

  async #send(path: string, options: RequestOptions, silence?: number): Promise<IncomingMessage> {
    const { send, base, prefix, token } = this.#address;
    const body = options.json !== undefined ? Buffer.from(stringify(options.json) ?? "null") : options.bytes;
    const headers: Record<string, string> = { ...options.headers };
    if (token) headers.authorization = `Bearer ${token}`;
    if (options.json !== undefined) headers["content-type"] = "application/json";
    if (body) headers["content-length"] = String(body.length);
    const sent = { ...base, path: prefix + path, method: options.method ?? "GET", headers };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(options.signal ? { ...sent, signal: options.signal } : sent, resolve);
      const end = (error: Error) => {
        received?.destroy(error);
        request.destroy(error);
      };
      let received: IncomingMessage | undefined;
      request.on("response", (response) => (received = response));
      request.on("socket", handleLateErrors);
      request.on("error", (error) => reject(options.signal?.aborted ? options.signal.reason : failed(error)));
      if (silence !== undefined) {
        request.setTimeout(silence, () => end(new Error(`nothing was received for ${silence / 1000} seconds`)));
      }
      request.end(body);
    });
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    throw await refused(response);
  }
}

/** When to send a request again that failed, in seconds; `undefined` if it must not be sent again. */
function timeUntilNext(error: unknown, attempt: number, isOnce: boolean, hasBroken: boolean): number | undefined {
  if (error instanceof Refused) {
    if (error.status === 429 || error.status === 503) return error.retryAfter > LONGEST_RETRY ? undefined : error.retryAfter;
    // The request whose connection broke off may still be answered.
    return error.status === 409 && hasBroken ? 1 : undefined;
  }
  const isConnection = error instanceof IsoletteError && error.type === "Connection";
  return isConnection && (isOnce || wasNotSent(error.cause)) ? 0.1 * 2 ** attempt : undefined;
}

function wasNotSent(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && NOT_SENT.includes(String(cause.code));
}

function failed(error: NodeJS.ErrnoException): IsoletteError {
  return error.syscall === "connect" || error.syscall === "getaddrinfo" ? unreachable(error) : brokenOff(error);
}

/** A server that refuses a long request closes the connection while it is sent, maybe after its response was read. */
function handleLateErrors(socket: Socket): void {
  if (!socket.listeners("error").includes(ignore)) socket.on("error", ignore);
}

function ignore(): void {
  // The request reports the same error to its caller.
}
