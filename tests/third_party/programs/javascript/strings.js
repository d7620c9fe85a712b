const s = "Hello, Wörld! 👋🏽";
console.log(s.length, [...s].length, s.toUpperCase(), s.at(-1), s.slice(-5, -2), s.substring(7, 2), s.indexOf("W"), s.includes("lo,"), s.codePointAt(14));
console.log("a,b,,c".split(","), "abc".split(""), "a b  c".split(/\s+/), "x".padStart(5, "ab"), "  trim ".trim() + "|", "  t ".trimStart() + "|", "abc".charCodeAt(1), String.fromCharCode(72, 105), String.fromCodePoint(128512));
console.log("straße".toUpperCase(), "İ".toLowerCase().length, "ﬁ".toUpperCase(), "é".normalize("NFD").length, "e\u0301".normalize() === "é", "Ångström".normalize("NFD").replace(/[\u0300-\u036f]/g, ""));
console.log(`multi
line ${1 + 1} ${[1, 2]} ${{}} ${null}`, String.raw`\n${1}`, ((s, ...v) => s.raw.join("|") + v)`a${1}b\t${2}c`);
console.log("b" > "a", "10" < "9", "10" < 9, "a" + 1 + 2, 1 + 2 + "a", "5" * "2", [] + {}, [1, 2] + [3], "abc".localeCompare("abd"), "a".concat("b", 1), "abcabc".lastIndexOf("b"), "x".repeat(3), "abc".search(/c/), encodeURIComponent("a b&c=é/?"), decodeURIComponent("%E2%82%AC"), escape?.("ü"), encodeURI("http://x.y/a b?q=é"));
const title = "the great gatsby".replace(/\b\w/g, (c) => c.toUpperCase()); console.log(title, [...title].reverse().join(""), title.isWellFormed?.(), "\ud800".toWellFormed?.().charCodeAt(0));
const caesar = (t, k) => t.replace(/[a-z]/gi, (c) => String.fromCharCode(((c.charCodeAt(0) - (c < "a" ? 65 : 97) + k + 26) % 26) + (c < "a" ? 65 : 97))); console.log(caesar("Hello, World", 3), caesar(caesar("Hello", 3), -3));
const isPalindrome = (t) => { const c = t.toLowerCase().replace(/[^a-z0-9]/g, ""); return c === [...c].reverse().join(""); }; console.log(isPalindrome("A man, a plan, a canal: Panama"));
console.log("%c styled", "color: red", "tab\there", "null\0byte".length, "\x41\u{1F600}", 'quote\'s', "a\
b");
