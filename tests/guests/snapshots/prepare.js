// State of every kind that a snapshot has to keep.
class Counter {
    #count = 0;
    get count() { return this.#count; }
    add() { return ++this.#count; }
}
function* numbers() { for (let number = 1; ; number++) yield number; }
var counter = new Counter();
counter.add();
var stream = numbers();
stream.next();
var large = new Uint8Array(1 << 20).map((_, index) => index);
write_file('/tmp/note', 'before');
