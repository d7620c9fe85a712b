// A program whose depth shows only when one of its functions is made from source.
// expect: exception RangeError or exception SyntaxError or exception InternalError

const source = "(".repeat(100_000) + "1" + ")".repeat(100_000);
new Function(`return ${source}`)();
