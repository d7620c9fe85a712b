// Buffer.
const buffer = Buffer.from("héllo wörld");
console.log(
  buffer.toString(),
  buffer.length,
  buffer.toString("hex"),
  buffer.toString("base64"),
  buffer.subarray(0, 2),
  buffer.toString("utf8", 7),
);
console.log(
  Buffer.from("aGk=", "base64").toString(),
  Buffer.from("6869", "hex").toString(),
  Buffer.from([104, 105]).toString(),
  Buffer.alloc(3, 1),
  Buffer.concat([Buffer.from("a"), Buffer.from("b")]).toString(),
  Buffer.byteLength("é"),
  Buffer.isBuffer(buffer),
);
const numbers = Buffer.alloc(8);
numbers.writeUInt16BE(258, 0);
numbers.writeInt32LE(-2, 2);
numbers.writeUInt8(255, 7);
console.log(numbers, numbers.readUInt16BE(0), numbers.readInt32LE(2), numbers.readUInt16LE(0));
console.log(
  Buffer.compare(Buffer.from("a"), Buffer.from("b")),
  Buffer.from("a").equals(Buffer.from("a")),
  buffer.indexOf("w"),
  buffer.includes("wör"),
  JSON.stringify(Buffer.from("hi")),
  Buffer.from("latin é", "latin1").length,
  Buffer.from("é", "latin1"),
  buffer instanceof Uint8Array,
);
console.log(
  Buffer.from("test").fill("ab").toString(),
  Buffer.from("abcdef").slice(2, 4).toString(),
  [...Buffer.from("ab").entries()],
  Buffer.from("x").toJSON(),
  Buffer.from("swap").swap16().toString(),
  Buffer.from("zz", "hex").length,
);
console.log(
  Buffer.from("YWJj-_", "base64url").length,
  Buffer.from("ñandú").toString("ascii").length,
  Buffer.from(new Uint8Array([1, 2]).buffer),
  Buffer.from(Buffer.from("copy")).toString(),
  String(Buffer.from("text")),
  Buffer.from("u").toString("utf16le").length,
);

const mixed = Buffer.from("héllo €😀\ud800x");
const ranges = [[0, 3], [2], [-3, 4], [100], [3, 2], [0, 1e9], [1.5, 3.7], ["1", "3"], [NaN, null]];
console.log(JSON.stringify(ranges.map(([start, end]) => mixed.toString("utf8", start, end))));
console.log(Buffer.byteLength("é"), Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0xff]).toString().length);
