// A replacer that replaces a value by a deeper one.
// expect: exception RangeError

JSON.stringify({}, (key, value) => ({ inner: value }));
