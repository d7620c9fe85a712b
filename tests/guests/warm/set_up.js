// What programs of a warm image start with.
var table = new Map(Array.from({ length: 20000 }, (_, number) => [number, number * number]));
write_file('/tmp/note', 'from the set-up');
function square(number) { return table.get(number); }
function fail() { throw new TypeError('from the set-up'); }
