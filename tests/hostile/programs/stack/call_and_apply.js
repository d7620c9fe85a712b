// A function that calls itself by way of call and apply.
// expect: exception RangeError

function down() {
  return down.call(this, ...down.apply.call(down, this, [1]));
}
down();
