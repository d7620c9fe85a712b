// Deep equality of errors, addresses, promises and dates; what hashes give; and keys of `subtle`.
const crypto = require("crypto");
const { isDeepStrictEqual } = require("util");
const assert = require("assert");
const pairs = {
  "the same cause": [new Error("a", { cause: 1 }), new Error("a", { cause: 1 })],
  "another cause": [new Error("a", { cause: 1 }), new Error("a", { cause: 2 })],
  "no cause": [new Error("a", { cause: 1 }), new Error("a")],
  "a cause that is undefined": [new Error("a", { cause: undefined }), new Error("a")],
  "the same errors": [new AggregateError([1], "a"), new AggregateError([1], "a")],
  "other errors": [new AggregateError([1], "a"), new AggregateError([2], "a")],
  "the same address": [new URL("http://a.example/b"), new URL("http://a.example/b")],
  "another address": [new URL("http://a.example/b"), new URL("http://a.example/c")],
  "two promises": [Promise.resolve(1), Promise.resolve(1)],
  "two weak maps": [new WeakMap(), new WeakMap()],
  "invalid dates": [new Date(NaN), new Date(NaN)],
  "the same date": [new Date(5), new Date(5)],
};
for (const [name, [left, right]] of Object.entries(pairs)) {
  let loose = true;
  try {
    assert.deepEqual(left, right);
  } catch {
    loose = false;
  }
  console.log(name, isDeepStrictEqual(left, right), loose);
}
const other = crypto.createHash("md5").setEncoding("base64");
other.write("abc");
other.end();
console.log(other.read());
const hash = crypto.createHash("sha256");
hash.setEncoding("hex");
hash.on("data", (data) => console.log(typeof data, data.slice(0, 8)));
hash.end("abc");
(async () => {
  const { subtle } = crypto.webcrypto;
  for (const length of [undefined, 8, 16, 13, 9, 17]) {
    const algorithm = { name: "HMAC", hash: "SHA-256", ...(length === undefined ? {} : { length }) };
    try {
      const key = await subtle.importKey("raw", new Uint8Array([1, 2]), algorithm, true, ["sign"]);
      console.log(length, key.algorithm, new Uint8Array(await subtle.sign("HMAC", key, new Uint8Array(1))).slice(0, 2));
    } catch (error) {
      console.log(length, error.name);
    }
  }
  const key = await subtle.importKey("raw", new Uint8Array(16), "AES-CTR", true, ["encrypt", "decrypt"]);
  for (const length of [64, 8, 2]) {
    try {
      const out = await subtle.encrypt({ name: "AES-CTR", counter: new Uint8Array(16).fill(255), length }, key, new Uint8Array(60));
      console.log(length, Buffer.from(out).toString("hex").slice(0, 80));
    } catch (error) {
      console.log(length, error.name);
    }
  }
  const mac = await subtle.importKey("raw", new Uint8Array(16), { name: "HMAC", hash: "SHA-1" }, true, ["sign", "verify"]);
  const signed = new Uint8Array(await subtle.sign("HMAC", mac, new Uint8Array(3)));
  console.log(await subtle.verify("HMAC", mac, signed, new Uint8Array(3)), await subtle.verify("HMAC", mac, signed.slice(1), new Uint8Array(3)));
  signed[19] ^= 1;
  console.log(await subtle.verify("HMAC", mac, signed, new Uint8Array(3)));
  for (const options of [{ N: 16384 }, { N: 32768 }, { N: 16384, r: 16 }, { N: 32768, maxmem: 34 * 1024 * 1024 }, { N: 1024, p: 40000 }]) {
    try {
      console.log(crypto.scryptSync("a", "b", 4, { ...options }).toString("hex"));
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
})();
