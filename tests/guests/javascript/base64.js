// atob and btoa.
console.log(btoa("Hello, World!"), btoa(""), btoa("a"), btoa("ab"), btoa("abc"), btoa("\xff\xfe"));
console.log(atob("SGVsbG8="), atob("SGVsbG8"), atob(" S G V s bG8 = "), atob(""), atob("/+8=").length);
for (const action of [() => btoa("€"), () => atob("a"), () => atob("****"), () => atob("YQ=a"), () => atob("=")]) {
  try {
    console.log(action());
  } catch (error) {
    console.log(error.name);
  }
}
const utf8 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
const back = (data) => new TextDecoder().decode(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)));
console.log(utf8("héllo €"), back(utf8("héllo € 😀")));
const token = [{ alg: "none" }, { sub: "1234", admin: true }]
  .map((part) => btoa(JSON.stringify(part)).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_"))
  .join(".");
console.log(token, JSON.parse(atob(token.split(".")[1].replaceAll("-", "+").replaceAll("_", "/"))));
const long = "x".repeat(10000);
console.log(atob(btoa(long)) === long, btoa(long).length, btoa(null), btoa(12), btoa(undefined));
