// A timer that starts two, until there is no memory.
// expect: timeout or exception RangeError or exception InternalError or memory

const again = () => {
  setTimeout(again, 0);
  setTimeout(again, 0);
};
again();
await new Promise(() => {});
