// Being an instance depends on being an instance.
// expect: exception RangeError

class Kind {
  static [Symbol.hasInstance](value) {
    return value instanceof Kind;
  }
}
1 instanceof Kind;
