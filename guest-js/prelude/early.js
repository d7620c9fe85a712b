// Globals that the polyfills require while they are loaded. Imported before all of them.

const defined = [];

function define(name, value) {
  if (name in globalThis) return;
  Object.defineProperty(globalThis, name, { value, configurable: true });
  defined.push(name);
}

// There are no threads, so the engine has no `Atomics`.
define("Atomics", {});

// Programs do not get these globals, nor what a polyfill defines for itself.
export function removeDefined() {
  for (const name of [...defined, "__core-js_shared__"]) Reflect.deleteProperty(globalThis, name);
}
