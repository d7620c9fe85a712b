// What the polyfills take for granted while they are loaded, and programs never see. Imported before all of them.

const borrowed = [];

function lend(name, value) {
  if (name in globalThis) return;
  Object.defineProperty(globalThis, name, { value, configurable: true });
  borrowed.push(name);
}

// There are no threads, so the engine has none of this.
lend("Atomics", {});

export function takeBack() {
  for (const name of borrowed) delete globalThis[name];
}
