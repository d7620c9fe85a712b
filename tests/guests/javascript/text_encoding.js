// TextEncoder and TextDecoder.
const encoder = new TextEncoder();
console.log(encoder.encode("aé€😀"), encoder.encoding, encoder.encode(), encoder.encode("\ud800"));
const target = new Uint8Array(5);
console.log(encoder.encodeInto("aé€😀", target), target);
const decoder = new TextDecoder();
console.log(
  decoder.decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])),
  decoder.decode(new Uint8Array([0x61, 0xff, 0x62])),
  decoder.decode(),
  decoder.encoding,
  decoder.fatal,
  decoder.ignoreBOM,
);
console.log(
  decoder.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) +
    decoder.decode(new Uint8Array([0xac]), { stream: true }) +
    decoder.decode(),
);
try {
  new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([0xff]));
} catch (error) {
  console.log(error.name);
}
try {
  new TextDecoder("no such encoding");
} catch (error) {
  console.log(error.name);
}
console.log(
  new TextDecoder("latin1").encoding,
  new TextDecoder("iso-8859-1").decode(new Uint8Array([0xe9])),
  new TextDecoder("utf-16le").decode(new Uint8Array([0x61, 0, 0x3d, 0xd8, 0, 0xde])),
  new TextDecoder("UTF8").encoding,
);
console.log(
  new TextDecoder("shift_jis").decode(new Uint8Array([0x82, 0xa0])),
  new TextDecoder("euc-kr").decode(new Uint8Array([0xb0, 0xa1])),
  new TextDecoder("gbk").decode(new Uint8Array([0xc4, 0xe3])),
);
console.log(
  new TextDecoder().decode(new Uint16Array([0x6261])),
  new TextDecoder().decode(encoder.encode("buffer").buffer),
  new TextDecoder().decode(new DataView(encoder.encode("view").buffer, 1, 2)),
);
console.log(new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])).length);
