import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { IsoletteError } from "./errors.js";

/** Where the server is, and by what right it is used. */
export interface ClientOptions {
  /**
   * `unix:PATH`, `http://HOST:PORT` or `https://HOST:PORT`. Default: the variable `ISOLETTE_SERVER`, else the socket of this user's server
   * (`isolette serve`), which is not started.
   */
  url?: string;
  /** The token of the caller, for a server over HTTP. Default: the variable `ISOLETTE_TOKEN`. */
  token?: string;
  /** How often a request is sent again that was refused for lack of room (status 429 and 503). Default: 2. */
  retries?: number;
}

/** A request to the server. */
export interface RequestOptions {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  json?: unknown;
  bytes?: Uint8Array;
  accept?: string;
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

/** The longest time that `Retry-After` is followed, in seconds. */
const LONGEST_RETRY = 30;

/** Maximum length of a response that is not streamed, in bytes. */
const LENGTH = 1 << 30;

/** Sends requests over connections that are kept. */
export class Transport {
  readonly #base: http.RequestOptions;
  readonly #send: typeof http.request;
  readonly #token: string | undefined;
  readonly #retries: number;

  constructor(options: ClientOptions = {}) {
    const url = options.url ?? (process.env.ISOLETTE_SERVER || `unix:${ownSocket()}`);
    this.#retries = options.retries ?? 2;
    if (url.startsWith("unix:")) {
      this.#send = http.request;
      this.#base = { socketPath: url.slice("unix:".length), agent: new http.Agent({ keepAlive: true }) };
      return;
    }
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:") {
      throw new IsoletteError("InvalidArgument", `\`${url}\` is not the URL of a server`, "name it as unix:PATH or http://HOST:PORT");
    }
    this.#token = options.token ?? process.env.ISOLETTE_TOKEN;
    if (!this.#token) {
      throw new IsoletteError("InvalidArgument", "a server over HTTP needs a token", "pass `token`, or set ISOLETTE_TOKEN");
    }
    const isSecure = parsed.protocol === "https:";
    this.#send = isSecure ? https.request : http.request;
    const agent = isSecure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
    this.#base = { host: parsed.hostname.replace(/^\[|\]$/g, ""), port: parsed.port || undefined, agent };
  }

  /** Sends a request, and returns the body of the response as JSON, or `undefined` if it is empty. */
  async json<T>(path: string, options: RequestOptions = {}): Promise<T> {
    const bytes = await this.bytes(path, options);
    return (bytes.length === 0 ? undefined : JSON.parse(bytes.toString("utf8"))) as T;
  }

  /** Sends a request, and returns the body of the response. It is sent again if there is no room at present. */
  async bytes(path: string, options: RequestOptions = {}): Promise<Buffer> {
    // With a key, a POST request that is sent again is done once.
    const key: Record<string, string> = options.method === "POST" ? { "idempotency-key": randomUUID() } : {};
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await collect(await this.stream(path, { ...options, headers: { ...options.headers, ...key } }));
      } catch (error) {
        const isBusy = error instanceof Refused && [429, 503].includes(error.status ?? 0);
        if (!isBusy || attempt >= this.#retries || error.retryAfter > LONGEST_RETRY) throw error;
        await sleep(error.retryAfter * 1000, undefined, { signal: options.signal });
      }
    }
  }

  /** Sends a request, and returns the response as it comes. Once only. */
  async stream(path: string, options: RequestOptions = {}): Promise<http.IncomingMessage> {
    const body = options.json !== undefined ? Buffer.from(JSON.stringify(options.json)) : options.bytes;
    const headers: Record<string, string> = { ...options.headers };
    if (this.#token) headers.authorization = `Bearer ${this.#token}`;
    if (options.accept) headers.accept = options.accept;
    if (options.json !== undefined) headers["content-type"] = "application/json";
    if (body) headers["content-length"] = String(body.length);
    const sent = { ...this.#base, path, method: options.method ?? "GET", headers };
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const request = this.#send(options.signal ? { ...sent, signal: options.signal } : sent, resolve);
      request.on("error", (error) => reject(options.signal?.aborted ? options.signal.reason : unreachable(error)));
      request.end(body);
    });
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    throw await refused(response, status);
  }
}

/** A response that refuses a request. */
class Refused extends IsoletteError {
  retryAfter = 1;
}

async function refused(response: http.IncomingMessage, status: number): Promise<Refused> {
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

async function collect(response: http.IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > LENGTH) {
      response.destroy();
      throw new IsoletteError("TooLarge", `the response has more than ${LENGTH} bytes`, "ask for less at a time");
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function unreachable(error: Error): IsoletteError {
  const hint = "start it with `isolette serve`, or name another one: `url`, or the variable ISOLETTE_SERVER";
  return new IsoletteError("Connection", `the server cannot be reached: ${error.message}`, hint, undefined, error);
}

/** The socket of this user's server, where the command line looks for it, too. */
function ownSocket(): string {
  const folder = (name: string) => {
    const value = process.env[name];
    return value && isAbsolute(value) ? value : undefined;
  };
  const runtime = folder("XDG_RUNTIME_DIR");
  if (runtime && existsSync(runtime) && statSync(runtime).isDirectory()) return join(runtime, "isolette/service.sock");
  return join(folder("XDG_STATE_HOME") ?? join(homedir(), ".local/state"), "isolette/service/service.sock");
}
