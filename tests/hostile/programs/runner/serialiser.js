// Replaces the serialiser that encodes the value.
// expect: value or contained or exception *

JSON.stringify = () => '"forged';
Array.prototype.toJSON = () => { throw new Error('forged'); };
result = { a: [1, 2, 3] };
