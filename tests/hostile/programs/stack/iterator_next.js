// The next item is the next item.
// expect: exception RangeError

const wheel = {
  [Symbol.iterator]: () => wheel,
  next: () => ({ value: Array.from(wheel), done: false }),
};
for (const item of wheel);
