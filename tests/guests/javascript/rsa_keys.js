// Keys of RSA: how they are read, written, made and refused.
const { subtle } = crypto;
const message = new TextEncoder().encode("what is signed");
const text = (bytes) => Buffer.from(bytes).toString("base64url");
const bytes = (text) => Buffer.from(text, "base64url");
const failure = async (work) => {
  try {
    return await work();
  } catch (error) {
    return `${error.name}: ${error.message.split("\n")[0]}`;
  }
};
const HASHES = ["SHA-1", "SHA-256", "SHA-384", "SHA-512"];
// The key, and what is said of it below, were made by Node 20.
const jwk = {
  kty: "RSA",
  n: "uvcGaKpjRwJkAlyzxWaHfCAPana-r-uzIWsO4hG5rwATTvoDsiLAvz7tmzIXIsbDiw5nVssCJ7VFdlRMOaPJ3zSuXyBPZdOxjP4p-PmbKeBh-G8j4X8daPYsWVOHqxY6W8Eo0lJGKBPyYuek3WOqKUXmj0-NHq9jUl50Tn6148PKhL9gsHQ3EqesWXpKItYw_rS928o4qikMOG189p50cxnVuSy-9dVugC14LY3wTLcMbwbli94acxY6VuIfH447XuUoKgARP6bO5QD36fuaGr0jU4QG_FoV_yVPH0oWfOX3b6Jwsk8cWeNw5jsKgBuwqsau6Jn1YWQXHWs_dIdpdQ",
  e: "AQAB",
  d: "AWuEYTGgGOc3_ruZAvANKeBtdYvK1Xe3D9MqFQX48M8Rlnk4I3d3msw9zj6yZcl4LTtyBfr7PHV4PlaUEKEBlMAn7eGHMNkLgWxhwboVl1sUq2ger-UBAm3SNuh3QJGl5lIAfx5wWXgTUHR9cFAEOBWHk4GRaxD-cl70x67XL1BnQcOTEYsHSUPsv1pm3SSR2IGddEuAwhtc8RFW_52hlXHuYCVWpT6tnx8v4-tuIC54F4VtaR_j0KoYMzCmcUw0gYBqz_VArrdQuokWmfLfmJgpTyU16_EN8lcVKZqfP9r6shAQm8zmdSehPnv8n-usU2gxuuXN6sxMAYtxbmWMcQ",
  p: "_y496XbnJFmAx98OI8qIwmHZTMw4j9WGqbTq--jkCYtlJr_G_I_fDTFC_outA7tjkS6kt2sjvMU77lNvlB5Mhee9SHIzgLNyyIfbW7F81ZOx93QfSqGf0s3wsvLqIFTKtClNtad16Tx2cQpOKyfAKpvEf91Q5rz-tB71UAOhQ6U",
  q: "u5C1wTnCIqT8MqO_fFdO2jGkjxDgc2n681QtOPGhoL2GOvTqbmTEboawWfJ2DUw7Cht4t2xOZBSBQv7EYR130Bp9eW79exdTjhdLV4ppqGKm7f9FU_-0yoLWfTft2_AvjVB7uvur75U3Tju55jUaNSQ2s7CeqD2uImaBxuSAZZE",
  dp: "DLl9lNq9A-8CoPTae6Zp02eVsmKsn1-Ca4v9-7nNRTySOrBtd8Kk2L-QG6lTY1BA0siEpjDNg2hCaMv4UGaCYlr_8VDgiJZqLt23bocXNn867J_5v3r3wUdLrWC3lA0mXn2AxoInOw4syc49v6Enz_gcgFPE6Pybpte0W90SeZE",
  dq: "ZvNzD_AoAuQUGaePfyxc956v-GcHC9JsEAtwFwVp9dSRTOMJmjZtK016lqRi78Gb1lxl0if8jypCGQfFuph2Hx-rJ3AoadvP3PokPJSYkfg0MAYhg42jKlTObkS4pjQbpbE7eNKS-RoqFSLrUtRq4ihSbibPrwDMB83EBet-HkE",
  qi: "KGtf_Odg3fmi2xsTZjfF7TbkeNp7stIWMroQceU4i6ktD4ugMhp31X9UKaP6JFE8w6w1W3n0OYa7cHvJNSNduChcasy35I0vx6L_l-pn2kwD9MpS7VwnaRXMyOV_bQEhAMd5LFH3UAEeU8kPw6FlC55v0yIQfhsHAwZzV17DrAY"
};
const pkcs8 = bytes(
  "MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQC69wZoqmNHAmQCXLPFZod8IA9qdr6v67Mhaw7iEbmvABNO-gOyIsC_Pu2bMhcixsOLDmdWywIntUV2VEw5o8nfNK5fIE9l07GM_in4-Zsp4GH4byPhfx1o9ixZU4erFjpbwSjSUkYoE_Ji56TdY6opReaPT40er2NSXnROfrXjw8qEv2CwdDcSp6xZekoi1jD-tL3byjiqKQw4bXz2nnRzGdW5LL711W6ALXgtjfBMtwxvBuWL3hpzFjpW4h8fjjte5SgqABE_ps7lAPfp-5oavSNThAb8WhX_JU8fShZ85fdvonCyTxxZ43DmOwqAG7Cqxq7omfVhZBcdaz90h2l1AgMBAAECggEAAWuEYTGgGOc3_ruZAvANKeBtdYvK1Xe3D9MqFQX48M8Rlnk4I3d3msw9zj6yZcl4LTtyBfr7PHV4PlaUEKEBlMAn7eGHMNkLgWxhwboVl1sUq2ger-UBAm3SNuh3QJGl5lIAfx5wWXgTUHR9cFAEOBWHk4GRaxD-cl70x67XL1BnQcOTEYsHSUPsv1pm3SSR2IGddEuAwhtc8RFW_52hlXHuYCVWpT6tnx8v4-tuIC54F4VtaR_j0KoYMzCmcUw0gYBqz_VArrdQuokWmfLfmJgpTyU16_EN8lcVKZqfP9r6shAQm8zmdSehPnv8n-usU2gxuuXN6sxMAYtxbmWMcQKBgQD_Lj3pduckWYDH3w4jyojCYdlMzDiP1YaptOr76OQJi2Umv8b8j98NMUL-i60Du2ORLqS3ayO8xTvuU2-UHkyF571IcjOAs3LIh9tbsXzVk7H3dB9KoZ_SzfCy8uogVMq0KU21p3XpPHZxCk4rJ8Aqm8R_3VDmvP60HvVQA6FDpQKBgQC7kLXBOcIipPwyo798V07aMaSPEOBzafrzVC048aGgvYY69OpuZMRuhrBZ8nYNTDsKG3i3bE5kFIFC_sRhHXfQGn15bv17F1OOF0tXimmoYqbt_0VT_7TKgtZ9N-3b8C-NUHu6-6vvlTdOO7nmNRo1JDazsJ6oPa4iZoHG5IBlkQKBgAy5fZTavQPvAqD02numadNnlbJirJ9fgmuL_fu5zUU8kjqwbXfCpNi_kBupU2NQQNLIhKYwzYNoQmjL-FBmgmJa__FQ4IiWai7dt26HFzZ_Ouyf-b9698FHS61gt5QNJl59gMaCJzsOLMnOPb-hJ8_4HIBTxOj8m6bXtFvdEnmRAoGAZvNzD_AoAuQUGaePfyxc956v-GcHC9JsEAtwFwVp9dSRTOMJmjZtK016lqRi78Gb1lxl0if8jypCGQfFuph2Hx-rJ3AoadvP3PokPJSYkfg0MAYhg42jKlTObkS4pjQbpbE7eNKS-RoqFSLrUtRq4ihSbibPrwDMB83EBet-HkECgYAoa1_852Dd-aLbGxNmN8XtNuR42nuy0hYyuhBx5TiLqS0Pi6AyGnfVf1Qpo_okUTzDrDVbefQ5hrtwe8k1I124KFxqzLfkjS_Hov-X6mfaTAP0ylLtXCdpFczI5X9tASEAx3ksUfdQAR5TyQ_DoWULnm_TIhB-GwcDBnNXXsOsBg",
);
const spki = bytes(
  "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAuvcGaKpjRwJkAlyzxWaHfCAPana-r-uzIWsO4hG5rwATTvoDsiLAvz7tmzIXIsbDiw5nVssCJ7VFdlRMOaPJ3zSuXyBPZdOxjP4p-PmbKeBh-G8j4X8daPYsWVOHqxY6W8Eo0lJGKBPyYuek3WOqKUXmj0-NHq9jUl50Tn6148PKhL9gsHQ3EqesWXpKItYw_rS928o4qikMOG189p50cxnVuSy-9dVugC14LY3wTLcMbwbli94acxY6VuIfH447XuUoKgARP6bO5QD36fuaGr0jU4QG_FoV_yVPH0oWfOX3b6Jwsk8cWeNw5jsKgBuwqsau6Jn1YWQXHWs_dIdpdQIDAQAB",
);
const NAMES = { "RSASSA-PKCS1-v1_5": ["sign", "verify"], "RSA-PSS": ["sign", "verify"], "RSA-OAEP": ["decrypt", "encrypt"] };

(async () => {
  for (const [name, [own, open]] of Object.entries(NAMES)) {
    for (const hash of HASHES) {
      const algorithm = { name, hash };
      const imported = [
        await subtle.importKey("jwk", jwk, algorithm, true, [own]),
        await subtle.importKey("pkcs8", pkcs8, algorithm, true, [own]),
        await subtle.importKey("spki", spki, algorithm, true, [open]),
      ];
      const [first] = imported;
      if (hash === "SHA-1") console.log(first, imported[2].algorithm.publicExponent);
      const written = await subtle.exportKey("jwk", first);
      console.log(written.alg, Object.keys(written).join(), Object.keys(jwk).every((part) => jwk[part] === written[part]));
      console.log(text(await subtle.exportKey("pkcs8", first)) === text(pkcs8), text(await subtle.exportKey("spki", imported[2])) === text(spki));
      const again = await subtle.importKey("jwk", await subtle.exportKey("jwk", imported[1]), algorithm, false, [own]);
      console.log(again.type, again.extractable, again.usages, (await subtle.exportKey("jwk", imported[2])).d);
      console.log((await failure(() => subtle.exportKey("pkcs8", again))).replace(/^.*: /, ""));
      console.log(await failure(() => subtle.exportKey("spki", first)));
      console.log(await failure(() => subtle.exportKey("raw", imported[2])));
    }
  }
  const algorithm = { name: "RSA-PSS", hash: "SHA-256" };
  const take = (format, key, usages = ["sign"], wanted = algorithm) => failure(async () => (await subtle.importKey(format, key, wanted, true, usages)).type);
  console.log(await take("raw", spki), await take("spki", pkcs8, ["verify"]), await take("pkcs8", spki));
  console.log(await take("spki", spki.subarray(1), ["verify"]), await take("spki", new Uint8Array(0), ["verify"]));
  console.log(await take("spki", spki, ["sign"]), await take("pkcs8", pkcs8, ["verify"]), await take("pkcs8", pkcs8, []));
  console.log(await take("spki", spki, []), await take("jwk", { ...jwk, alg: "PS256" }), await take("jwk", { ...jwk, alg: "PS384" }));
  console.log(await take("jwk", { ...jwk, kty: "EC" }), await take("jwk", { ...jwk, kty: undefined }), await take("jwk", { ...jwk, n: undefined }));
  console.log(await take("jwk", { ...jwk, q: undefined }), await take("jwk", { ...jwk, use: "enc" }), await take("jwk", { ...jwk, use: "sig" }));
  console.log(await take("jwk", { ...jwk, key_ops: ["verify"] }), await take("jwk", { ...jwk, key_ops: ["sign", "sign"] }), await take("jwk", { ...jwk, ext: false }));
  console.log(await take("pkcs8", pkcs8, ["sign"], { name: "RSA-PSS", hash: "MD5" }));
  console.log(await take("pkcs8", pkcs8, ["sign"], { name: "RSAES-PKCS1-v1_5", hash: "SHA-1" }));
  const e3 = new Uint8Array([3]);
  for (const publicExponent of [e3, new Uint8Array([1, 0, 1]), new Uint8Array([0, 0, 1, 0, 1])]) {
    for (const modulusLength of [512, 1024, 1031]) {
      const pair = await subtle.generateKey({ ...algorithm, modulusLength, publicExponent }, true, ["sign", "verify"]);
      const { n, e } = await subtle.exportKey("jwk", pair.privateKey);
      const modulus = BigInt(`0x${bytes(n).toString("hex")}`);
      console.log(modulus.toString(2).length, e, pair.publicKey.algorithm.modulusLength, pair.publicKey.algorithm.publicExponent, pair.privateKey.usages, pair.publicKey.usages);
      const signature = await subtle.sign({ name: "RSA-PSS", saltLength: 8 }, pair.privateKey, message);
      console.log(signature.byteLength, await subtle.verify({ name: "RSA-PSS", saltLength: 8 }, pair.publicKey, signature, message));
    }
  }
  const make = (changed, usages = ["sign"]) => failure(async () => typeof (await subtle.generateKey({ ...algorithm, modulusLength: 512, publicExponent: e3, ...changed }, true, usages)));
  console.log(await make({ modulusLength: 511 }), await make({ modulusLength: 0 }));
  console.log(await make({ publicExponent: new Uint8Array([1]) }), await make({ publicExponent: new Uint8Array([4]) }));
  console.log(await make({ publicExponent: new Uint8Array(0) }), await make({ publicExponent: new Uint8Array([1, 0, 0, 0, 1]) }));
  console.log(await make({}, []), await make({}, ["verify"]), await make({}, ["encrypt"]), await make({ hash: "SHA-3" }));
})();
