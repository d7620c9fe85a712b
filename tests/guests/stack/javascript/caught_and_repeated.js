// Recursion that catches its own end and goes on, at every level. Ends in RangeError or Timeout.
function down() {
  try {
    down();
  } catch (error) {
    throw error;
  }
}
down();
