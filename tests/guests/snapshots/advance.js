var seen = [counter.add(), stream.next().value, read_file('/tmp/note'), large.reduce((sum, byte) => sum + byte, 0),
    JSON.parse('[1]')];
write_file('/tmp/note', 'after');
large[large.length - 1] = 0;
seen
