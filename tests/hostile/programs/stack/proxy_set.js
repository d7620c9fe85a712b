// A proxy that is written to by writing to it.
// expect: exception RangeError

const proxy = new Proxy({}, {
  set(target, name, value, receiver) {
    receiver[name] = value;
    return true;
  },
});
proxy.field = 1;
