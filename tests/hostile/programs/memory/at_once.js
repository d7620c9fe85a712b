// More than there is, at once.
// expect: memory or exception InternalError or exception RangeError or timeout

new Uint8Array(2 ** 31);
