// The functions of `src/`, which is where the prelude ends and the engine begins.

export let host;

// Once, before anything else of the prelude is called.
export function setHost(functions) {
  host = functions;
}
