// One operation on numbers, which takes for ever.
// expect: timeout or memory or exception RangeError or exception InternalError

3n ** (10n ** 9n);
