// A timer that starts two, until there is no memory. Ends in Timeout or RangeError or InternalError or OutOfMemory.
const again = () => {
  setTimeout(again, 0);
  setTimeout(again, 0);
};
again();
await new Promise(() => {});
