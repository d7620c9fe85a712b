// The next item is the next item. Ends in RangeError.
const wheel = {
  [Symbol.iterator]: () => wheel,
  next: () => ({ value: Array.from(wheel), done: false }),
};
for (const item of wheel);
