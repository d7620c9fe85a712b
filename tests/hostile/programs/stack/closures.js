// A hundred thousand closures, each calling the one that it has captured.
// expect: exception RangeError

const wrap = (inner) => () => inner() + 1;
let call = () => 0;
for (let count = 0; count < 100_000; count++) call = wrap(call);
call();
