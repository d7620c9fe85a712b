// A default that needs the default.
// expect: exception RangeError

function down(value = down()) {
  return value;
}
down();
