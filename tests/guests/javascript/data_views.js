// DataView: numbers at any place, in either order.
const view = new DataView(new ArrayBuffer(24));
view.setInt8(0, -1);
view.setUint8(1, 255);
view.setInt16(2, -2);
view.setUint16(4, 65534, true);
view.setInt32(6, -100000, true);
view.setFloat32(10, 1.5);
view.setFloat64(14, Math.PI, true);
console.log(
  view.getInt8(0),
  view.getUint8(1),
  view.getInt16(2),
  view.getUint16(4, true),
  view.getUint16(4),
  view.getInt32(6, true),
  view.getFloat32(10),
  view.getFloat64(14, true),
);
console.log(Array.from(new Uint8Array(view.buffer), (byte) => byte.toString(16).padStart(2, "0")).join(" "));
console.log(view.byteLength, view.byteOffset, new DataView(view.buffer, 4, 2).getUint16(0, true));
const big = new DataView(new ArrayBuffer(16));
big.setBigInt64(0, -5n);
big.setBigUint64(8, 2n ** 63n, true);
console.log(big.getBigInt64(0), big.getBigUint64(8, true), big.getUint32(4));
for (const action of [
  () => view.getInt8(24),
  () => view.setInt32(21, 1),
  () => new DataView(new ArrayBuffer(1), 2),
  () => new DataView([]),
]) {
  try {
    action();
  } catch (error) {
    console.log(error.name);
  }
}
function float32Bits(value) {
  const scratch = new DataView(new ArrayBuffer(4));
  scratch.setFloat32(0, value);
  return scratch.getUint32(0).toString(2).padStart(32, "0");
}
console.log(float32Bits(1), float32Bits(-0), float32Bits(0.1));
const header = new TextEncoder().encode("RIFF\x10\0\0\0WAVE");
const reader = new DataView(header.buffer);
console.log(
  new TextDecoder().decode(header.subarray(0, 4)),
  reader.getUint32(4, true),
  Object.prototype.toString.call(reader),
);
