// A format that asks for padding.
// expect: memory or exception InternalError or exception RangeError or timeout

result = '1'.padStart(2 ** 31).length;
