// A function that calls itself. Ends in RangeError.
function down(depth) {
  return down(depth + 1);
}
down(0);
