// A constructor that constructs itself by reflection.
// expect: exception RangeError

function Doll() {
  return Reflect.construct(Doll, []);
}
new Doll();
