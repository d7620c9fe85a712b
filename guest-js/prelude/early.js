// What the polyfills take for granted while they are loaded. Imported before all of them.

const lent = [];

function lend(name, value) {
  if (name in globalThis) return;
  Object.defineProperty(globalThis, name, { value, configurable: true });
  lent.push(name);
}

// There are no threads, so the engine has none of this.
lend("Atomics", {});

// Programs never see what was lent, nor what a polyfill left behind for itself.
export function takeBack() {
  for (const name of [...lent, "__core-js_shared__"]) Reflect.deleteProperty(globalThis, name);
}
