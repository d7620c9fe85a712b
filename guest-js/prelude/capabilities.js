// Custom interfaces that the embedder defines in WIT, as modules: `import { get } from "acme:weather/forecast"`.
//
// The host is not called before a program imports an interface. `src/capabilities/` makes the functions.

import { builtIn, define, named } from "./globals.js";
import { host } from "./host.js";
import { inspect } from "./inspect.js";

const { defineProperty, setPrototypeOf } = Object;
const { dispose, toStringTag } = Symbol;
const wellFormed = Function.prototype.call.bind(String.prototype.toWellFormed);

class CapabilityError extends Error {
  constructor(message, { kind = "failed", interface: name, function: called, payload } = {}) {
    super(message);
    const property = (value) => ({ value, enumerable: true, writable: true, configurable: true });
    Object.defineProperties(this, {
      kind: property(kind),
      interface: property(name),
      function: property(called),
      payload: property(payload),
    });
  }
}
builtIn("CapabilityError", CapabilityError);
defineProperty(CapabilityError.prototype, "name", { value: "CapabilityError", writable: true, configurable: true });
delete CapabilityError.prototype[toStringTag];

// A readable form of a payload.
function readable(payload) {
  if (typeof payload === "string") return payload;
  if (typeof payload?.tag !== "string") return inspect(payload, { breakLength: Infinity });
  return payload.val === undefined ? payload.tag : `${payload.tag}: ${readable(payload.val)}`;
}

// Called by `src/capabilities/call.rs`.
export function errorText(called, payload) {
  const text = payload === undefined ? "" : wellFormed(readable(payload));
  return text === "" ? `${called} failed, and does not say why` : `${called}: ${text}`;
}

export function capabilityError(message, kind, name, called, payload) {
  return new CapabilityError(message, { kind, interface: name, function: called, payload });
}

// An array of the items of an iterable, or undefined.
export const items = (value) => (typeof value[Symbol.iterator] === "function" ? [...value] : undefined);

// The class of a resource. Its objects belong to the engine and contain the handle.
function resourceClass({ className }, construct) {
  const type = {
    [className]: class {
      constructor(...args) {
        if (construct === undefined)
          throw new TypeError(`${className} has no constructor\nhint: functions of its interface return them`);
        return setPrototypeOf(construct(...args), new.target.prototype);
      }
    },
  }[className];
  const close = function () {
    host.closeResource(this);
  };
  defineProperty(type.prototype, dispose, { value: named("[Symbol.dispose]", close), writable: true, configurable: true });
  return builtIn(className, type);
}

// The contents of an interface by name.
function contents({ place, functions, resources }) {
  const module = {};
  const classes = new Map();
  for (const resource of resources) {
    const constructor = functions.find(({ kind, resource: of }) => kind === "constructor" && of === resource.name);
    const type = resourceClass(resource, constructor?.call);
    host.bindResource(place, resource.index, type.prototype);
    classes.set(resource.name, type);
    module[resource.className] = type;
  }
  for (const { kind, resource, name, call } of functions) {
    if (kind === "constructor") continue;
    if (resource === undefined || resource === null) {
      module[name] = call;
      continue;
    }
    const type = classes.get(resource);
    defineProperty(kind === "method" ? type.prototype : type, name, { value: call, writable: true, configurable: true });
  }
  return module;
}

const INTERFACE = /^[a-z][\w-]*:[\w:-]+\/[\w-]+(?:@.+)?$/i;
const opened = new Map();

// Whether a module name is that of an interface.
export const isInterface = (name) => INTERFACE.test(name);

// The module of an interface, with or without its version. Throws an error with the host's message if it does not
// exist.
export function openInterface(name) {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const answer = host.openInterface(name);
  if (Array.isArray(answer)) {
    const [kind, sentence] = answer;
    const error = new CapabilityError(`Cannot find module '${name}': ${sentence}`, { kind, interface: name });
    throw Object.assign(error, { code: "MODULE_NOT_FOUND" });
  }
  // One module, with or without the version.
  const module = opened.get(answer.name) ?? contents(answer);
  opened.set(answer.name, module).set(name, module);
  return module;
}

// The interfaces of this run.
export const interfaces = () => host.listInterfaces();

export function installCapabilities() {
  define("CapabilityError", CapabilityError);
}
