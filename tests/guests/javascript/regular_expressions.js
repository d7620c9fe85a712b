// Regular expressions.
console.log("2024-05-17".match(/(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)/).groups.month);
console.log("a1b22c333".match(/\d+/g), "none".match(/\d/g), "a1b22".match(/\d+/).index);
console.log([..."k1=v1;k2=v2".matchAll(/(\w+)=(\w+)/g)].map(([, key, value]) => [key, value]));
console.log(
  "price: $42, cost: €17".match(/(?<=\$)\d+/)[0],
  "foobar foobaz".match(/foo(?!bar)\w+/)[0],
  "xab yab".replace(/(?<!x)ab/, "!"),
);
console.log(
  "John Smith".replace(/(?<first>\w+)\s(?<last>\w+)/, "$<last>, $<first>"),
  "abc".replace(/b/, "[$&$`$']"),
  "x-y".replace(/(\w)-(\w)/, "$2$$$1"),
);
console.log("aBc".replace(/[a-z]/gi, (letter, at) => (at % 2 ? letter.toLowerCase() : letter.toUpperCase())));
console.log("one  two\tthree".split(/\s+/), "a1b2c".split(/(\d)/), "abc".split(""), "a,b,c".split(",", 2));
const sticky = /foo/y;
console.log(
  sticky.test("foofoobar"),
  sticky.lastIndex,
  sticky.test("foofoobar"),
  sticky.lastIndex,
  sticky.test("foofoobar"),
  sticky.lastIndex,
);
console.log(
  /^.$/u.test("😀"),
  /^.$/.test("😀"),
  /\u{1F600}/u.test("😀"),
  /\p{Lu}/u.test("É"),
  /\p{Script=Greek}/u.exec("abc αβγ")[0],
);
console.log(/a.c/s.test("a\nc"), /a.c/.test("a\nc"), "l1\nl2".match(/^\w+$/gm));
console.log(/(\w)\1/.exec("hello")[0], /(?<char>\w)\k<char>/.exec("hello").index, /(?:ab)+/.exec("xababy")[0]);
console.log(
  "aaa".match(/a{2}/)[0],
  "<b>x</b><b>y</b>".match(/<b>.*?<\/b>/)[0],
  /a|ab/.exec("abc")[0],
  /[^\W\d_]+/.exec("12_ab3")[0],
);
const global = /o/g;
console.log(global.exec("foo").index, global.lastIndex, global.exec("foo").index, global.exec("foo"), global.lastIndex);
console.log(
  /x/gimsuy.flags,
  new RegExp("a/b", "g").source,
  String(/[/]/),
  new RegExp("").source,
  RegExp("\\d").test("5"),
);
console.log(/(?<y>\d{4})/d.exec("in 1999").indices.groups.y, /a(b)?(c)?/.exec("a"));
console.log(
  "x".search(/y/),
  "xyz".search(/z/),
  "aXbX".replaceAll("X", "-"),
  "aXbX".replaceAll(/X/g, (m, offset) => offset),
);
try {
  new RegExp("(");
} catch (error) {
  console.log(error.name);
}
try {
  "x".replaceAll(/x/, "y");
} catch (error) {
  console.log(error.constructor.name);
}
const words = "The quick brown fox jumps over the lazy dog the end".toLowerCase().match(/\b\w+\b/g);
console.log(
  Object.entries(words.reduce((counts, word) => ({ ...counts, [word]: (counts[word] ?? 0) + 1 }), {})).filter(
    ([, count]) => count > 1,
  ),
);
console.log(
  /^[\w.+-]+@[\w-]+\.[\w.]+$/.test("first.last+tag@example.co.uk"),
  /^(?:\d{1,3}\.){3}\d{1,3}$/.test("192.168.0.1"),
);
console.log(/\cJ/.test("\n"), /[\b]/.test("\b"), /\0/.test("\0"), /\x41\u0042/.test("AB"), /a{,2}/.test("a{,2}"));
