// URL.
const url = new URL("https://user:p%40ss@example.com:8443/a/b/../c;d?x=1&y=a%20b#frag");
for (const part of [
  "href",
  "origin",
  "protocol",
  "username",
  "password",
  "host",
  "hostname",
  "port",
  "pathname",
  "search",
  "hash",
])
  console.log(part, url[part]);
console.log(String(url), JSON.stringify({ url }), url.searchParams.get("y"));
for (const [input, base] of [
  ["/path", "https://h.example/dir/file?q"],
  ["../up", "https://h.example/a/b/c"],
  ["?q=2", "https://h.example/p?q=1#h"],
  ["#only", "https://h.example/p"],
  ["//other.example/x", "http://h.example"],
  ["file.txt", "https://h.example/dir/"],
  ["https://HOST.example:443/%7Euser/", undefined],
  ["http://example.com:80/", undefined],
  ["HTTP://EXAMPLE.com/ä ö", undefined],
  ["http://münchen.example/", undefined],
  ["mailto:a@b.example", undefined],
  ["data:text/plain,hi", undefined],
  ["file:///tmp/x", undefined],
  ["http://[::1]:3000/", undefined],
  ["http://192.168.1.1/", undefined],
])
  console.log(new URL(input, base).href);
for (const bad of ["", "no scheme", "http://", "//x", "http://a b/", "http://x:99999/"]) {
  try {
    console.log(new URL(bad).href);
  } catch (error) {
    console.log(error.name, error.code);
  }
}
url.pathname = "/new path";
url.search = "?z=9";
url.hash = "";
url.port = "443";
url.protocol = "http:";
url.host = "other.example:99";
url.username = "";
url.password = "";
console.log(url.href);
url.searchParams.append("list", "a&b");
url.searchParams.set("z", "ü");
console.log(url.href, url.search);
url.href = "https://replaced.example/?k=v";
console.log(url.searchParams.get("k"), url.host, URL.canParse("nope"), URL.canParse("/x", "http://h/"));
console.log(new URL(url) !== url, new URL("http://h/?a=1&a=2").searchParams.getAll("a"), new URL("http://h").pathname);
console.log(new URL("https://example.com/a?b=c#d"));
