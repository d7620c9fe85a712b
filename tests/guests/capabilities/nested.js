// Nearly everything inside of everything else, through types that the macro made.
import * as t from "odd:shapes/t";

const shown = (value) =>
  JSON.stringify(value, (_, value) =>
    typeof value === "bigint" ? `${value}n` : ArrayBuffer.isView(value) ? [value.constructor.name, ...value].join() : value === undefined ? "undefined" : value,
  );
const same = (value, other) => shown(value) === shown(other);
const most = 2n ** 64n - 1n;
const drawing = {
  colour: "green",
  marks: { bold: true, wide: false },
  figures: [
    { tag: "dot" },
    { tag: "line", val: [-1, 2] },
    { tag: "many", val: [undefined, { tag: "ok", val: most }, { tag: "err", val: "ä" }] },
  ],
  title: { tag: "some", val: undefined },
  sizes: new Float32Array([0.5, -0.25]),
  letter: "🐍",
  layers: { tag: "ok", val: [new Uint8Array([]), new Uint8Array([0, 255])] },
};
const other = {
  ...drawing,
  marks: { bold: true, wide: true },
  title: { tag: "some", val: "x" },
  layers: { tag: "err", val: "red" },
  figures: [],
};
let thrown;
try {
  t.repaint({ ...drawing, figures: [{ tag: "line", val: [2, -1] }] });
} catch (error) {
  thrown = error.payload;
}
result = [
  same(t.repaint(drawing), drawing),
  same(t.repaint(other), { ...other, colour: "red" }),
  same(thrown, { tag: "many", val: [undefined, { tag: "ok", val: most }] }),
];
