// What a program leaves behind that the next one of the session must not find.

let changed = [];

// Says that the program has changed something; `forget` makes it as it was. Once in each run is enough.
export function forgetLater(forget) {
  if (!changed.includes(forget)) changed[changed.length] = forget;
}

// Before each run but the first.
export function forgetAll() {
  if (changed.length === 0) return;
  const all = changed;
  changed = [];
  for (let index = 0; index < all.length; index += 1) all[index]();
}
