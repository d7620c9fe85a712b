[counter.count, read_file('/tmp/note'), 'leftBehind' in globalThis, false]
