// A field whose value is another object with the field. Ends in RangeError.
class Doll {
  inner = new Doll();
}
new Doll();
