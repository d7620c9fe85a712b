// `crypto` of Node, and `crypto.subtle`.
const crypto = require("crypto"); const { createHash, createHmac } = crypto;
for (const h of ["md5","sha1","sha224","sha256","SHA384","sha512","sha512-256","sha3-256","sha3-512","ripemd160","blake2b512","blake2s256","shake128","RSA-SHA256"]) console.log(h, createHash(h).update("abc").digest("hex"), h.startsWith("shake") ? "" : createHmac(h, "key").update("abc").update(Buffer.from("d")).digest("base64"));
console.log(createHash("sha256").update("x").copy().digest("hex"), createHash("shake256", { outputLength: 5 }).update("").digest("hex"));
try { createHash("nope") } catch (e) { console.log(e.message, e.code) }
try { const h = createHash("md5"); h.digest(); h.update("x") } catch (e) { console.log(e.message, e.code) }
console.log(crypto.pbkdf2Sync("p", "s", 1000, 32, "sha256").toString("hex"), crypto.scryptSync("p", "s", 32).toString("hex"), crypto.scryptSync("p", "s", 16, { N: 1024, r: 8, p: 2 }).toString("hex"));
console.log(Buffer.from(crypto.hkdfSync("sha512", "k", "s", "i", 40)).toString("hex"));
console.log(crypto.timingSafeEqual(Buffer.from("a"), Buffer.from("a")), crypto.randomBytes(8).length, crypto.randomInt(5) < 5, crypto.randomUUID().length);
try { crypto.timingSafeEqual(Buffer.from("a"), Buffer.from("ab")) } catch (e) { console.log(e.message, e.code) }
for (const alg of ["aes-256-gcm", "aes-128-cbc", "aes-192-ctr"]) {
  const key = Buffer.alloc({ "aes-256-gcm": 32, "aes-128-cbc": 16, "aes-192-ctr": 24 }[alg], 7), iv = Buffer.alloc(alg.endsWith("gcm") ? 12 : 16, 3);
  const c = crypto.createCipheriv(alg, key, iv); if (alg.endsWith("gcm")) c.setAAD(Buffer.from("aad"));
  const out = Buffer.concat([c.update("hello world", "utf8"), c.final()]); const tag = alg.endsWith("gcm") ? c.getAuthTag() : null;
  const d = crypto.createDecipheriv(alg, key, iv); if (tag) d.setAAD(Buffer.from("aad")).setAuthTag(tag);
  console.log(alg, out.toString("hex"), tag && tag.toString("hex"), Buffer.concat([d.update(out), d.final()]).toString());
}
(async () => {
  const s = globalThis.crypto.subtle, hex = (b) => Buffer.from(b).toString("hex"), enc = new TextEncoder();
  console.log(hex(await s.digest("SHA-256", enc.encode("abc"))));
  const k = await s.importKey("raw", enc.encode("secret"), { name: "HMAC", hash: "SHA-256" }, true, ["sign", "verify"]);
  const sig = await s.sign("HMAC", k, enc.encode("m")); console.log(hex(sig), await s.verify("HMAC", k, sig, enc.encode("m")), k.type, k.usages, k.algorithm, await s.exportKey("jwk", k));
  const a = await s.generateKey({ name: "AES-GCM", length: 256 }, true, ["encrypt", "decrypt"]);
  const iv = new Uint8Array(12), ct = await s.encrypt({ name: "AES-GCM", iv }, a, enc.encode("hi")); console.log(ct.byteLength, new TextDecoder().decode(await s.decrypt({ name: "AES-GCM", iv }, a, ct)));
  try { await s.decrypt({ name: "AES-GCM", iv: new Uint8Array(12).fill(1) }, a, ct) } catch (e) { console.log(e.name, e.message) }
  for (const curve of ["P-256", "P-384"]) {
    const { publicKey, privateKey } = await s.generateKey({ name: "ECDSA", namedCurve: curve }, true, ["sign", "verify"]);
    const sg = await s.sign({ name: "ECDSA", hash: "SHA-256" }, privateKey, enc.encode("x")); console.log(sg.byteLength, await s.verify({ name: "ECDSA", hash: "SHA-256" }, publicKey, sg, enc.encode("x")), await s.verify({ name: "ECDSA", hash: "SHA-256" }, publicKey, sg, enc.encode("y")));
    const jwk = await s.exportKey("jwk", privateKey); console.log(Object.keys(jwk).sort().join(), (await s.exportKey("pkcs8", privateKey)).byteLength, (await s.exportKey("spki", publicKey)).byteLength);
    const again = await s.importKey("pkcs8", await s.exportKey("pkcs8", privateKey), { name: "ECDSA", namedCurve: curve }, true, ["sign"]); console.log((await s.exportKey("jwk", again)).d === jwk.d);
    const e1 = await s.generateKey({ name: "ECDH", namedCurve: curve }, true, ["deriveBits"]), e2 = await s.generateKey({ name: "ECDH", namedCurve: curve }, true, ["deriveBits"]);
    console.log(hex(await s.deriveBits({ name: "ECDH", public: e2.publicKey }, e1.privateKey, 256)) === hex(await s.deriveBits({ name: "ECDH", public: e1.publicKey }, e2.privateKey, 256)));
  }
  const jwk = { kty: "OKP", crv: "Ed25519", d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" };
  const ed = await s.importKey("jwk", jwk, "Ed25519", true, ["sign"]); console.log(hex(await s.sign("Ed25519", ed, new Uint8Array(0))), hex(await s.exportKey("pkcs8", ed)));
  const pb = await s.importKey("raw", enc.encode("pw"), "PBKDF2", false, ["deriveBits", "deriveKey"]);
  console.log(hex(await s.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: enc.encode("salt"), iterations: 1000 }, pb, 256)));
  const dk = await s.deriveKey({ name: "PBKDF2", hash: "SHA-256", salt: enc.encode("salt"), iterations: 10 }, pb, { name: "AES-GCM", length: 256 }, true, ["encrypt"]); console.log(hex(await s.exportKey("raw", dk)), dk);
  const raw = (await s.exportKey("jwk", ed)).d;
  console.log(raw);
  for (const f of [() => s.digest("MD5", iv), () => s.importKey("raw", iv, "nope", true, []), () => s.generateKey({ name: "AES-GCM", length: 256 }, true, []), () => s.encrypt({ name: "AES-GCM", iv }, k, iv), ]) try { await f() } catch (e) { console.log(e.name, e.message) }
  const callback = require("util").promisify;
  console.log((await callback(crypto.randomBytes)(4)).length, await callback(crypto.scrypt)("p", "s", 4));
  console.log(await callback(crypto.pbkdf2)("p", "s", 1, 4, "sha1"));
})();
