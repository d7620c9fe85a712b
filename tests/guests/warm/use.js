// Sees the state after the set-up, and changes it.
var before = [square(12), table.size, read_file('/tmp/note'), JSON.parse('[1]'), 'leftover' in globalThis];
table.clear();
globalThis.leftover = true;
write_file('/tmp/note', 'changed');
before
