// One arithmetic operation that does not end in time.
// expect: timeout or memory or exception RangeError or exception InternalError

3n ** (10n ** 9n);
