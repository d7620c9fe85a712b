// A replacer that replaces a value by a deeper one. Ends in RangeError.
JSON.stringify({}, (key, value) => ({ inner: value }));
