// The functions of `src/`, which is where the prelude ends and the engine begins.

export let host;

// Once, before anything else of the prelude is called.
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
