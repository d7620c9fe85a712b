// The older ways of addresses, which know nothing of what the web requires of them.
const url = require("url");
const texts = [
  "mailto:ann@example.com?subject=hello",
  "localhost:3000/path?a=b",
  "http://ann:pw@münchen.example:8080/a b?c=d#e",
  "//host.example/path",
  "/only/path?x#y",
  "javascript:alert('x')",
  "http://h.example?x=y",
  "HTTP://H.example/%7Ea",
  "xmpp:ann@host.example",
  "a/b/../c",
  "",
  "file:///etc/passwd",
  "http://a.example:80",
  "http://[::1]:3000/x",
  "tel:+123",
  "http://a_b.example/x",
  "dot.test:foo/bar",
];
const show = (parsed) => Object.fromEntries(Object.entries(parsed).filter(([, value]) => value !== null));
for (const text of texts) console.log(text, show(url.parse(text)));
console.log(show(url.parse("//host.example/path", false, true)));
const pairs = [
  ["/one/two/three", "four"],
  ["http://example.com/", "/one"],
  ["http://example.com/one", "/two"],
  ["one/two", "../three"],
  ["one/two", "../../../three"],
  ["http://a.example/b/c/d", "../../../e"],
  ["http://a.example/b?c", "?d=e"],
  ["http://a.example/b?c", "#f"],
  ["http://a.example/b", "//other.example/x"],
  ["http://a.example/b/", "."],
  ["http://a.example/b/c", ".."],
  ["http://a.example/b", "https:c"],
  ["http://a.example/b", "mailto:x@y.example"],
  ["mailto:x@y.example", "z@y.example"],
  ["a", ""],
  ["/a/b", ""],
  ["", "/x"],
  ["a/b/c", "/d"],
  ["http://a.example", "b"],
  ["http://user:pw@a.example/x", "/y"],
  ["x:y", "z"],
];
for (const [from, to] of pairs) console.log(from, to, url.resolve(from, to));
console.log(url.domainToUnicode("xn--mnchen-3ya.example"), url.domainToASCII("münchen.example"), url.domainToUnicode("xn--iñvalid.com"));
for (const name of ["xn--zckzah.example", "xn--bcher-kva.example.xn--p1ai", "plain.example"]) console.log(url.domainToUnicode(name));
for (const [from, to] of [["mailto:a@b", "c"], ["http://a.example/b/c/", "./d/../e"], ["/a/b/c", "../.."], ["/a", "../../b"], ["a/b/c", "."], ["http://a.example/b", "http:c"], ["http://a.example/b#c", ""], ["http://a.example:8080/b", "c?d#e"], ["file:///a/b", "../c"]])
  console.log(from, to, url.resolve(from, to));
const path = require("path");
for (const parts of [{ name: "a", ext: "txt" }, { name: "a", ext: ".txt" }, { base: "b.c", ext: "txt" }, { dir: "/d", name: "e", ext: "f" }]) {
  console.log(path.format(parts), path.win32.format(parts));
}
