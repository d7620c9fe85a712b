// A function that applies itself. Ends in RangeError.
function down() {
  return Reflect.apply(down, undefined, []);
}
down();
