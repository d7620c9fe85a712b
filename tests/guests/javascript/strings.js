// Methods of strings.
const text = "Hello, World";
console.log(text.length, text.at(-1), text.charAt(1), text[4], text.charCodeAt(0), text.codePointAt(7));
console.log(text.slice(-5), text.slice(0, 5), text.substring(5, 0), text.substr(7, 3), text.slice(3, -3));
console.log(
  text.indexOf("o"),
  text.lastIndexOf("o"),
  text.indexOf("z"),
  text.includes("World"),
  text.startsWith("World", 7),
  text.endsWith("Hello", 5),
);
console.log(text.toUpperCase(), text.toLowerCase(), "ß".toUpperCase(), "İ".toLowerCase().length, "ΑΣ".toLowerCase());
console.log(
  "  trim ".trim() + "|",
  "  x".trimStart() + "|",
  "x  ".trimEnd() + "|",
  "\ufeff\u00a0x\u2003".trim().length,
);
console.log("ab".repeat(3), "5".padStart(3, "0"), "5".padEnd(3, "ab"), "abc".padStart(2), "x".padStart(5, ""));
console.log("a-b-c".split("-"), "abc".split("").reverse().join(""), "a,b,,c".split(","), "".split(","), "".split(""));
console.log(
  "concat".concat(1, null, [2]),
  "b".localeCompare("a"),
  "a".localeCompare("b"),
  "a" < "b",
  "Z" < "a",
  "10" < "9",
  10 < 9,
);
console.log(
  String.fromCharCode(72, 105),
  String.fromCodePoint(128512),
  "😀".length,
  [..."😀"].length,
  "😀".codePointAt(0).toString(16),
);
console.log("é".normalize("NFD").length, "e\u0301".normalize("NFC").length, "ﬁ".normalize("NFKC"));
console.log("x".isWellFormed(), "\ud800".isWellFormed(), "\ud800x".toWellFormed());
console.log(
  encodeURIComponent("a b&c=d/é😀"),
  decodeURIComponent("%C3%A9%20"),
  encodeURI("http://x/é?q=a b#h"),
  decodeURI("%41%2F"),
);
console.log(escape("é b+"), unescape("%E9%20%u0041"));
try {
  decodeURIComponent("%E0%A4%A");
} catch (error) {
  console.log(error.name);
}
try {
  "x".repeat(-1);
} catch (error) {
  console.log(error.name);
}
console.log(
  "a\tb\\n\u0041\x42\101".length,
  'single "double"',
  "it's",
  "line\
continued",
);
console.log(
  "abc".anchor === undefined ? "" : "abc".link("url"),
  "b".big(),
  "Title Case Me".replace(/\b\w/g, (c) => c.toLowerCase()),
);
console.log(
  Object.getOwnPropertyNames("ab"),
  "abc".search("c"),
  "ab".concat() === "ab",
  new String("x") == "x",
  new String("x") === "x",
);
console.log(
  [..."banana"].filter((c, i, all) => all.indexOf(c) === i).join(""),
  "banana".split("a").length - 1,
  "banana".replace("a", "o"),
);
console.log("%", "100%", "%d", "percent %s");
