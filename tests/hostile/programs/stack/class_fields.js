// A field whose value is another object with the field.
// expect: exception RangeError

class Doll {
  inner = new Doll();
}
new Doll();
