// An array that makes arrays by mapping.
// expect: exception RangeError

class List extends Array {
  static get [Symbol.species]() {
    return new List(1).map((value) => value);
  }
}
new List(1).map((value) => value);
