// URL and URLSearchParams. The first is parsed by `src/urls.rs`, the second comes from core-js.

import "core-js/modules/web.url-search-params.js";
import "core-js/modules/web.url-search-params.delete.js";
import "core-js/modules/web.url-search-params.has.js";
import "core-js/modules/web.url-search-params.size.js";

import { host } from "./host.js";
import { inspect } from "./inspect.js";
import { builtIn, define } from "./globals.js";

const PARTS = [
  "href",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
  "origin",
];
const CHANGEABLE = new Set(PARTS.filter((part) => part !== "href" && part !== "origin"));
export const { URLSearchParams } = globalThis;
const custom = Symbol.for("nodejs.util.inspect.custom");

function invalid(input) {
  const error = new TypeError("Invalid URL");
  error.code = "ERR_INVALID_URL";
  error.input = input;
  return error;
}

// Parameters that update the URL to which they belong.
class LinkedParams extends URLSearchParams {
  #changed;
  constructor(search, changed) {
    super(search);
    this.#changed = changed;
  }
  static link(method) {
    return function (...args) {
      const outcome = URLSearchParams.prototype[method].apply(this, args);
      this.#changed?.(this.toString());
      return outcome;
    };
  }
  // Reads a query that was assigned to the URL.
  reload(search) {
    for (const name of new Set(this.keys())) URLSearchParams.prototype.delete.call(this, name);
    for (const [name, value] of new URLSearchParams(search)) URLSearchParams.prototype.append.call(this, name, value);
  }
}
for (const method of ["append", "delete", "set", "sort"]) {
  Object.defineProperty(LinkedParams.prototype, method, {
    value: LinkedParams.link(method),
    writable: true,
    configurable: true,
  });
}
Object.defineProperty(LinkedParams.prototype, "constructor", {
  value: URLSearchParams,
  writable: true,
  configurable: true,
});

class URL {
  #parts;
  #params;

  constructor(url, base) {
    this.#parts = host.parseUrl(`${url}`, base === undefined ? undefined : `${base}`);
    if (this.#parts == null) throw invalid(`${url}`);
  }

  static canParse(url, base) {
    return host.parseUrl(`${url}`, base === undefined ? undefined : `${base}`) != null;
  }

  static parse(url, base) {
    return URL.canParse(url, base) ? new URL(url, base) : null;
  }

  get searchParams() {
    this.#params ??= new LinkedParams(this.#parts[8], (query) => this.#change("search", query, false));
    return this.#params;
  }

  #change(part, value, reload) {
    this.#parts = host.changeUrl(this.#parts[0], part, value);
    if (reload) this.#params?.reload(this.#parts[8]);
  }

  toString() {
    return this.#parts[0];
  }

  toJSON() {
    return this.#parts[0];
  }

  [custom](depth, options) {
    if (depth < 0) return "[URL]";
    const shown = {
      href: this.href,
      origin: this.origin,
      protocol: this.protocol,
      username: this.username,
      password: this.password,
    };
    Object.assign(shown, {
      host: this.host,
      hostname: this.hostname,
      port: this.port,
      pathname: this.pathname,
      search: this.search,
    });
    Object.assign(shown, { searchParams: this.searchParams, hash: this.hash });
    return `URL ${inspect(shown, options)}`;
  }

  static {
    for (const [index, part] of PARTS.entries()) {
      Object.defineProperty(this.prototype, part, {
        get() {
          return this.#parts[index];
        },
        set: CHANGEABLE.has(part)
          ? function (value) {
              this.#change(part, `${value}`, part === "search");
            }
          : undefined,
        enumerable: true,
        configurable: true,
      });
    }
    Object.defineProperty(this.prototype, "href", {
      get() {
        return this.#parts[0];
      },
      set(value) {
        const parts = host.parseUrl(`${value}`, undefined);
        if (parts == null) throw invalid(`${value}`);
        this.#parts = parts;
        this.#params?.reload(parts[8]);
      },
      enumerable: true,
      configurable: true,
    });
  }
}

function inspectParams(depth, options) {
  const pairs = [...this].map(([name, value]) => `${inspect(name, options)} => ${inspect(value, options)}`);
  return pairs.length === 0 ? "URLSearchParams {}" : `URLSearchParams { ${pairs.join(", ")} }`;
}

export function installUrl() {
  Object.defineProperty(URLSearchParams.prototype, custom, {
    value: inspectParams,
    writable: true,
    configurable: true,
  });
  define("URL", builtIn("URL", URL));
  define("URLSearchParams", URLSearchParams);
}
