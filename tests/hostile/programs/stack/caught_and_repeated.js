// Recursion that catches its own end and goes on, at every level.
// expect: exception RangeError or timeout

function down() {
  try {
    down();
  } catch (error) {
    throw error;
  }
}
down();
