// Typed arrays and buffers.
const bytes = new Uint8Array([1, 2, 300, -1, 2.9]);
console.log(bytes, bytes.length, bytes.byteLength, Uint8Array.BYTES_PER_ELEMENT);
console.log(
  new Uint8ClampedArray([300, -5, 1.5, 2.5]),
  new Int8Array([200]),
  new Int16Array([40000]),
  new Uint32Array([-1]),
  new Float32Array([0.1])[0],
  new Float64Array([0.1])[0],
);
const buffer = new ArrayBuffer(8);
const view = new Uint16Array(buffer, 2, 2);
view.set([513, 1027]);
console.log(new Uint8Array(buffer), view.byteOffset, buffer.byteLength, new Uint8Array(buffer.slice(2, 4)));
console.log(
  bytes.subarray(1, 3),
  bytes.slice(-2),
  bytes.map((x) => x * 2),
  bytes.filter((x) => x > 2),
  [...bytes.entries()][0],
  bytes.reduce((a, b) => a + b),
);
console.log(
  Uint8Array.from("123"),
  Uint8Array.of(1, 2),
  Array.from(new Float32Array([1.5, 2])),
  bytes.indexOf(44),
  bytes.includes(255),
  bytes.at(-1),
  bytes.join("-"),
);
console.log(
  new Uint8Array([3, 1, 2]).sort(),
  new Float64Array([3, NaN, -0, 0, -1]).sort(),
  new Uint8Array([3, 1, 2]).toSorted(),
  new Uint8Array([1, 2, 3]).toReversed(),
  new Uint8Array([1, 2]).with(0, 9),
  new Uint8Array(3).fill(7, 1),
);
const shared = new Uint8Array(4);
new Uint32Array(shared.buffer)[0] = 0x01020304;
console.log(shared, new Uint8Array(new Uint8Array([1, 2]).buffer), new Uint8Array([1, 2, 3, 4]).copyWithin(0, 2));
bytes[10] = 5;
console.log(bytes[10], "10" in bytes, Object.keys(bytes), delete bytes[99]);
for (const action of [
  () => new Uint16Array(buffer, 1),
  () => new Uint8Array(-1),
  () => new Uint8Array([1]).set([1, 2]),
  () => new Uint32Array(new ArrayBuffer(3)),
]) {
  try {
    action();
  } catch (error) {
    console.log(error.name);
  }
}
console.log(
  Object.prototype.toString.call(bytes),
  ArrayBuffer.isView(bytes),
  bytes.constructor.name,
  Object.getPrototypeOf(Uint8Array).name,
);
const resizable = new ArrayBuffer(2, { maxByteLength: 8 });
const tracking = new Uint8Array(resizable);
resizable.resize(4);
console.log(tracking.length, resizable.resizable, resizable.maxByteLength);
console.log(
  new BigInt64Array(2),
  new Float32Array(3),
  [...new Uint8Array(2).keys()],
  new Uint8Array([5, 6]).findLast((x) => x < 6),
);
console.log(bytes == String(bytes), bytes.toString(), JSON.stringify(new Uint8Array([1, 2])));
