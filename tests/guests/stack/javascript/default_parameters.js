// A default that needs the default. Ends in RangeError.
function down(value = down()) {
  return value;
}
down();
