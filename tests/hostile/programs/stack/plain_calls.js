// A function that calls itself.
// expect: exception RangeError

function down(depth) {
  return down(depth + 1);
}
down(0);
