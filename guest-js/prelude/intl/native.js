// The functions of `src/intl/`, which is where this module ends.

export let native;

export function setNative(functions) {
  native = functions;
}
