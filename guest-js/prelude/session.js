// State of a program that the next one of the session must not find.

let changed = [];

// Registers that the program has changed something; `forget` restores it. Once in each run is enough.
export function forgetLater(forget) {
  if (!changed.includes(forget)) changed[changed.length] = forget;
}

// Called before each run except the first.
export function forgetAll() {
  if (changed.length === 0) return;
  const all = changed;
  changed = [];
  for (let index = 0; index < all.length; index += 1) all[index]();
}
