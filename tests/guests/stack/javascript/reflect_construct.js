// A constructor that constructs itself by reflection. Ends in RangeError.
function Doll() {
  return Reflect.construct(Doll, []);
}
new Doll();
