// The functions of `src/intl/` that this module uses.

export let native;

export function setNative(functions) {
  native = functions;
}
