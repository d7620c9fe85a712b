import { existsSync, statSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { IsoletteError } from "./errors.js";

/** Where the server is, and by what right it is used. */
export interface ClientOptions {
  /**
   * `unix:PATH`, `http://HOST:PORT` or `https://HOST:PORT`, with the path below which a proxy has the server, if there is one.
   * Default: the variable `ISOLETTE_SERVER`, else the socket of this user's server (`isolette serve`), which is not started.
   */
  url?: string;
  /** The token of the caller, for a server over HTTP. Default: the variable `ISOLETTE_TOKEN`. */
  token?: string;
  /**
   * How often a request is sent again that was refused for lack of room (status 429 and 503) or whose connection broke off, if
   * it cannot be done twice by that. Default: 2.
   */
  retries?: number;
}

/** How requests reach a server. */
export interface Address {
  send: typeof http.request;
  /** The host or the socket, and connections that are kept. */
  base: http.RequestOptions;
  /** What comes before the path of each request: empty, or a path that begins with `/`. */
  prefix: string;
  token?: string;
}

/** Reads the options of a client. */
export function addressOf(options: ClientOptions): Address {
  const url = options.url ?? (process.env.ISOLETTE_SERVER || `unix:${ownSocket()}`);
  if (url.startsWith("unix:")) {
    const socketPath = url.slice("unix:".length);
    return { send: http.request, base: { socketPath, agent: new http.Agent({ keepAlive: true }) }, prefix: "" };
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:") {
    const hint = "name it as unix:PATH or http://HOST:PORT";
    throw new IsoletteError("InvalidArgument", `\`${url}\` is not the URL of a server`, hint);
  }
  const token = options.token ?? process.env.ISOLETTE_TOKEN;
  if (!token) {
    throw new IsoletteError("InvalidArgument", "a server over HTTP needs a token", "pass `token`, or set ISOLETTE_TOKEN");
  }
  const isSecure = parsed.protocol === "https:";
  const agent = isSecure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
  const base = { host: parsed.hostname.replace(/^\[|\]$/g, ""), port: parsed.port || undefined, agent };
  return { send: isSecure ? https.request : http.request, base, prefix: parsed.pathname.replace(/\/+$/, ""), token };
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
