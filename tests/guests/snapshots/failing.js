counter.add();
var leftBehind = 1;
write_file('/tmp/note', 'spoilt');
throw new TypeError('no');
