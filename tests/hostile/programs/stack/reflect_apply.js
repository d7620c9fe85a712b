// A function that applies itself.
// expect: exception RangeError

function down() {
  return Reflect.apply(down, undefined, []);
}
down();
