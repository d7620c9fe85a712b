// A proxy that is written to by writing to it. Ends in RangeError.
const proxy = new Proxy({}, {
  set(target, name, value, receiver) {
    receiver[name] = value;
    return true;
  },
});
proxy.field = 1;
