// The functions of `src/`, which connect the prelude and the engine.

export let host;

// Called once, before any other function of the prelude.
export function setHost(functions) {
  host = functions;
  const { loadModule } = functions;
  const loaded = new Map();
  // The engine would make a module of each call.
  functions.loadModule = (name) => {
    if (!loaded.has(name)) loaded.set(name, loadModule(name));
    return loaded.get(name);
  };
}
