// Text beyond ASCII.
const family = "👨‍👩‍👧";
console.log(
  family.length,
  [...family].length,
  family.split("").length,
  Array.from("né").map((c) => c.codePointAt(0)),
);
console.log(
  "\u{1F680}",
  "\uD83D\uDE80",
  "\u{1F680}" === "\uD83D\uDE80",
  "日本語".length,
  "日本語".slice(1),
  "日本語".charCodeAt(0).toString(16),
);
const größe = "gültig";
const 変数 = { 鍵: "値" };
console.log(größe, 変数.鍵, "\u0061" === "a");
const abc = 5;
console.log(abc);
console.log("ñ" === "n\u0303", "ñ".normalize() === "n\u0303".normalize(), "Å".localeCompare("Å".normalize("NFD")));
console.log(
  ["é", "z", "a", "É", "ä"].sort(),
  ["résumé", "resume", "Resume"].map((s) => s.toUpperCase()),
);
console.log("İstanbul".toLowerCase(), "straße".toUpperCase(), "ŐŰ".toLowerCase(), "Ǆ".toLowerCase());
console.log("\u2028".length, JSON.stringify("\u2028"), JSON.stringify("\ud83d"), JSON.stringify("é😀\u0007"));
console.log([..."a\ud83d"].length, "\ud83d\ude00".at(0) === "\ud83d", "😀".substring(0, 2), encodeURIComponent("😀"));
console.log("Привет".replace(/[а-я]+/u, "!"), "ΣΊΣΥΦΟΣ".toLowerCase(), /^\p{L}+$/u.test("日本語"), "🎉🎊".match(/./gu));
console.log("a\0b".length, "a\0b".split("\0"), "\v\f".length, "مرحبا".length, "नमस्ते".length);
console.log(new TextEncoder().encode("é€😀"), new TextDecoder().decode(new Uint8Array([226, 130, 172])));
console.log(Buffer.from("ü").toString("hex"), Buffer.from("c3bc", "hex").toString(), Buffer.byteLength("😀"));
