// Which keys of RSA there are not, what damaged ones give, and what `crypto` does not do with pairs of keys.
const nodeCrypto = require("crypto");
const { subtle } = crypto;
const attempt = async (work) => {
  try {
    return await work();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
const text = (bytes) => Buffer.from(bytes).toString("base64url");
const algorithm = { name: "RSA-PSS", hash: "SHA-256" };

(async () => {
  const odd = (bytes) => text(Buffer.alloc(bytes, 255));
  for (const n of ["", "AQ", odd(63), odd(512), odd(513), odd(1 << 20)]) {
    const key = { kty: "RSA", n, e: "AQAB" };
    console.log(await attempt(async () => (await subtle.importKey("jwk", key, algorithm, true, ["verify"])).algorithm.modulusLength));
    console.log(await attempt(() => nodeCrypto.createPublicKey({ key, format: "jwk" }).asymmetricKeyDetails));
  }
  for (const e of ["AQ", "BA", text([2, 0, 0, 0, 1]), odd(500)]) {
    console.log(await attempt(() => subtle.importKey("jwk", { kty: "RSA", n: odd(128), e }, algorithm, true, ["verify"])));
  }
  for (const modulusLength of [511, 4097, 1e9, 512.5, -1, NaN]) {
    console.log(await attempt(() => subtle.generateKey({ ...algorithm, modulusLength, publicExponent: new Uint8Array([1, 0, 1]) }, true, ["sign"])));
    console.log(await attempt(() => nodeCrypto.generateKeyPairSync("rsa", { modulusLength })));
  }
  // Whatever is wrong with a private key, it is refused or it does not work; the program goes on.
  const { privateKey } = nodeCrypto.generateKeyPairSync("rsa", { modulusLength: 512 });
  const jwk = privateKey.export({ format: "jwk" });
  const numbers = ["", "AQ", "Ag", "Aw", "AQAB", jwk.n, jwk.d, jwk.p, jwk.q, odd(32), odd(64), odd(65)];
  let refused = 0;
  for (const part of ["n", "e", "d", "p", "q"]) {
    for (const number of numbers.filter((other) => other !== jwk[part])) {
      try {
        nodeCrypto.sign("sha1", Buffer.alloc(1), { key: { ...jwk, [part]: number }, format: "jwk" });
      } catch {
        refused += 1;
      }
    }
  }
  console.log("refused", refused, "of", numbers.length * 5 - 5);
  const der = privateKey.export({ type: "pkcs8", format: "der" });
  let damaged = 0;
  for (let at = 0; at < der.length; at += 5) {
    const bytes = Buffer.from(der);
    bytes[at] ^= 255;
    try {
      nodeCrypto.createPrivateKey({ key: bytes, format: "der", type: "pkcs8" });
    } catch {
      damaged += 1;
    }
  }
  console.log("not all damage is seen:", damaged > 20 && damaged < der.length / 5);
  const encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----";
  const missing = [
    () => nodeCrypto.createPrivateKey(encrypted),
    () => privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" }),
    () => nodeCrypto.sign("md5", Buffer.alloc(1), privateKey),
    () => nodeCrypto.sign("sha256", Buffer.alloc(1), { key: privateKey, padding: 3 }),
    () => nodeCrypto.publicEncrypt({ key: privateKey, padding: 1 }, Buffer.alloc(1)),
    () => nodeCrypto.generateKeyPairSync("ec", { namedCurve: "secp256k1" }),
    () => nodeCrypto.createECDH("secp256k1"),
    () => nodeCrypto.privateEncrypt(privateKey, Buffer.alloc(1)),
  ];
  for (const work of missing) console.log(await attempt(work));
})();
