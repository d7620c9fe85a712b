// Two generators that hand over to one another.
// expect: timeout

function* turn() {
  for (;;) yield;
}
const [first, second] = [turn(), turn()];
for (;;) {
  first.next();
  second.next();
}
