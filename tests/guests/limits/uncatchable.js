// Holds on to life with everything that the language has.
console.log("before the loop");
for (;;) {
  try {
    for (;;) {
      try {
        Array.from({ length: 10000 }, (_, index) => index * index);
      } finally {
        continue;
      }
    }
  } catch {
    queueMicrotask(() => {});
  }
}
