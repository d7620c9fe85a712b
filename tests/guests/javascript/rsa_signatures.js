// Signatures of RSA: those that Node made are verified, and those that have no random part are the same here.
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
const pss = {
  "SHA-1": {
    0: "GdgFEA7f4AhZoCRR_dMEczM4f2EsSnvuKrBtFK3JpPMGcr9jR_32Pw8HggGBIWpuBei4IuAbAQS80THPbkdePcXfuv3Cm3amPTaFG7iT6TWwWGgM8cz65WPJmb2M_D9NpfhN8VtrX9dAw_LdrDCEdyPvd3BMvjixVffEP_uijqVHrJxGhDbLqY0rAmGD8DtTeTlrw0TPn1zfTsLaROLwkb1YCMHq5emi9KqVLBigK51rl0b8jucRF9hC-yr9NMq7yhwD-zG98hkFOAbjLhrk79se6hAcFRv01lP6OXHDo-uqJ0zk6-mPiHlkCc9PVtb0F14I287Bh5L1h56pfXLuJQ",
    20: "SxKjzArt_DpjySJ0f7WAiacYxeFmq59_l_Ticnaw1i_F6Xu9iDIQ-MXdBW2fk_jgIDJMF9sMa1QkFeglHef6PaDbMi9ozgMfCKAEOX6sfumrfF6udiEbsC-qMWD343AQRKzl5icfTWm00NhIjGt9Jta0X20XOPpJ2xZfRbihO1K1yAz3rF_3ofaqIZO62Xj808_zyA2g-Ga0tLHJgLkHJX8l3B4U9OKGmDoRSvOCh_3e0nj02EK5dkX1nd6xmxaszLz0OHXe3Rz48cH4YN6PDXjipOursZtnQDGUFt2YER6uLO3fgrcoNy2g0DwNdnIpaMvaWT_D1E3CbUMFngUUdw",
    32: "oL4uY3N0CEY9Dv6cjXLd1d5USUijNP-d7u9IVnQDnaypPw0D36sX7enKEYW-09df0Qo1t_nSz0kqiBUhzWxMAVXp7NKeGehK-_lpxl2a7WNeaYAGWNdRib_ctFC9MiNxWrb25USWOg6-nHCRosQ0exPI-9qTU2Qrhyc4QSfu_noldFFl1ctrR77rh7YBxhIOe_OpuhNIIQbkGXn6j6vufPgtYubX9QGTxHa361hinXn5zkFtuuyEZwf6i0eJkq244lYtWvHDUtb5RfdAmBkAHdlH5w2AtvOY4uryxnsk0p8mxJu0Qi6AqA7zI47iLCZBxcoV3Kp5_EY0Yv7am2pywg"
  },
  "SHA-256": {
    0: "asLhga-6_ZpQlkzaaB5ts7GYtnW-t94wg9lCxtpaA0lxWS5tPfYtOsbzdGyLWVnO4nFzho0bjRfhkvEdv_pLc9lHkyIrcY2OgRUMnkcs13pWAuHMfXuHRfIDy3g0y6Acfe9FkTHoC49tX8wqyDOnxBihPPXbkkKEaEmwSGpQDTzwZ4jhhoG4Mgn2fcgLVO3ai5fzwMZxv2-6eSwZCrWhGPov8mmEEU7PwLp_NQHfYqhWtwjoLYzT43cg-xnslJPThLpYzwe7k2Ho5AT0WUDSYeaEa49hIxNmYPDa7u3-LtNO_mNS6tpgtoDEWM6KO4dd3OA0WnKkxQeFcXpzySBrrA",
    20: "mzw534fGoY4ayQCpYwZRU4iXysEwgJNb4HI6TDLRNOKkJmfHNS0eB35qiKkDoYEYOvP0jUdQ6JzsaKDdTj_XQEtSeAXIXeyLq9PQBCK_974j5_jQYmUNQsaHAVON09DvUc3ULNr2hR1N6mRj-122OmQlCZL6oCKy1tORPDAQrCRKkZwYzFHfAP5pGS1XRH2kmyBCGpH01wW4zZpLR5WJNvPskicmzSNco4X0hRlXkiTkKIj6GUv5dTn0KSoUqe-pb3sKOE5awqhtefLYUkHhzoLbIXGkw1oILNRvaiHYMlnXxC2UP-UdZz_FoPfT6m__M61GhbaRBOmhov4yf6p23g",
    32: "Xthg7ROfKYrH7eYn6A7quGhpIUyuQJfls7I-rbyjlnU4X5oUdsUVno-8Ef_CvtVSJSL-Gv7RlzzaDrEwBlgG5naYnK6fxejYhsJsfgbno-6YxUysyZgxKUb2KyaCQ-M8ikrCOAVX1Fk8zz4RYC_d43kfHdEeNeAxEc5LhP5Mr5jRsCCcaA4ycbO3hKHL4UeJ6qlPv8deSnmCbqaa0U_4b8wG60F8b_4RfsnwO-G609cg6VKyy1sTk49iYTaPxeiEi8u-US4CgYKjAIGCT6vscYW9MCtW5MZHDGpnfEQ1nD3d0g9l8ppVFpB4eQmFD8xiNCKCpe6XDSXVuU8_93ggSA"
  },
  "SHA-384": {
    0: "E2RbLeGZAp1nRt8UjfvCJBEcZ5hGbDCr6Xth6dfctO5K7KgSucKfjlaLPVrGbH6slNqqV6MyMk6YKYQ2OaY_LJw0wmXuz73q37WKKpPNFDJ2sHxW9tpgfCQ_enV22lzxsQIx4gz-gqHMS0yyy4vm_OfJ4sDwj6DRFCn2QmqB0AUPxS6xvGzEs2ZEEEDlE0yjkBGK3Nm23-GfU5FIa90Rwwct7DQSifMUU7myGTFKRgJNG5IUMGFc9hNsbNpm6CdGFvkj2BZy7RgklmGGkI4snOWFEO23gOs1ta11UI577tQC81lRafHLDTXrSbrRs-A_PUxa5o4Goxio9AxOC7g0Vg",
    20: "HAv9sQdJaaAxmoSwSxcAWF7dqN9Q3MY-h0djhgi7YAUu0E4QAEZAxWvrfyC96U6f7L0ZrWtSScvz_8yIhF3CMwMHo1NK_k8x_Tm5OqnRIZpL6zxDylRQXHxmd49SrJwlArFvJhzbjpeKW-LBss4Wvv3nAZLkaoCguj-ez9-5fgXE6rzfuhxO57Alvho_M2u9ZRcy7-UjOa0F1XhZIlH_Uwcagc34mObVJsCozDvSrDYwnzAPQNgGAQqViCHuQVHsSy4q7qnSBQWpI3DQSJdxLJvQM6Q5_iYz20KFCvHzp28YkmJj4QgHomPvtRqDA3e94aio3bQS1BfRUBFuBUv7Fg",
    32: "f2QYZWcAx8uhu2Rfz9WQtRFD4BiHnjy3_ngslG6EdgZrEiRO_WF3S32JOB11EQAuOtIhv0okXBgKzuXRv41d4z_y3tFUSda6-05ZbEvDcStbXn6v66vRu4Eufxykwjh73WvT5SHisZFWRWCl_w9YVJBWG6djZJJYJvJFPR0mMMByv784IQEkL46XcY7MdUvdqamJfT-H5X4uPwWRljBuM-ggI3cVpeY9iOexdcupNVDqrU_u_bAvUwHhF9Vg279MYaXpkRdNB8il_nusRhzQmoWulyzUW_p1CrKSgYAlPN2u9kyX6eJaFMfJjsf8s09KFAnKPG86juF1t_Z3kwPABg"
  },
  "SHA-512": {
    0: "PJhyUCdLLX2Pu9OQ2jcX6nUqSj52wlO-ddfjMmNIwrTB-K07FkyZaeU-u1rGQN-VoYBbKEOlKpSW-DpcJXtSB_LL3wHpti2wKIezSlptev5yRFaqxqss-GmxZjOG4JWO7hxbGgm1jPyoT9gH7kWRWdJ8QCgubQHB1AWwnYwVgpXAAVyOaW_FfLP9wGO5D_WTbRJBolvJ1kEB_k6dSFW7KX_p7DAmiBJch41IembSACTxF8p6dAp8QW4IsJAsWnIueRAmlcQYMdQmhXKGln140EcQJYO_WzikEyIH4HaOq0-W4yCavOLfJG3jx_XpJJvXCnQoustmWZkOL7d-I8slnw",
    20: "R_7GrSlzahcTuPP6gOtaXEShN7MaeoymjaAjWRIGe9l_Rlgzo562IrUBFWZEljLd7sAGfuGTJ4MgV5e99_KERQhlWXze5cGe0bV3G6kfNQ_k03stRabfc-ZXHEY8xS2fqe5WqE-zRAy06gOZFZwoDCEpg5DoOAsz_XhCe9wGvCKJFtVWYcpbOazYWj4CqN7fBw8O39HtjIolBznAx9xXKBWZbLF-Kny1iA6MVnGDha-0Ae652GXyls11Y2uPjFoaY-VQ_dfGW-7Ye6SoTY57zd3Cphu8cIGctWYbMqnOqqWxd4c7-gZoRMABdlMLlXU7lmr2vu8y66J6PAHyoIXF4g",
    32: "GhzdzXM3S5pehmjGmWn2uF6qY6wTo5uvGVWubYqXUFgbicoiKSP-QriTi18V_9D8bts2bAhFOSfMv4GbcCeTKfUHi4VXGen94SzblzlbObsn9pGzWqC7slM6RSMBm9fuSVSLzODtLvNdua5VlH-raqJs2AQYxT7l8CsMaBolODDjdcnvajQGVK1bqIA7QphBaNWTXR6zPYm5ZuRhC_FEtYX8FHHEja3Yb9dxRcwfax4hs_ybEIqEWwHZlOmy-JoMktjUe0z_FZ1EnwwK7hEF9mydCGybJDabqb8FQ83GuNQ13Gz1_c9pf9YCsNBAGvKrcIWXbpLyadwIVVzdRbqYbA"
  }
};
const publicJwk = { kty: jwk.kty, n: jwk.n, e: jwk.e };
const tampered = (signature, index) => signature.map((byte, at) => (at === index ? byte ^ 1 : byte));

(async () => {
  for (const hash of HASHES) {
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash };
    const own = await subtle.importKey("jwk", jwk, algorithm, false, ["sign"]);
    const open = await subtle.importKey("jwk", publicJwk, algorithm, true, ["verify"]);
    const signature = new Uint8Array(await subtle.sign(algorithm.name, own, message));
    console.log(hash, text(signature));
    const check = (given, content = message) => subtle.verify(algorithm.name, open, given, content);
    console.log(await check(signature), await check(tampered(signature, 0)), await check(tampered(signature, 255)));
    console.log(await check(signature, message.slice(1)), await check(signature.slice(1)), await check(new Uint8Array(257)));
  }
  for (const hash of HASHES) {
    const own = await subtle.importKey("jwk", jwk, { name: "RSA-PSS", hash }, false, ["sign"]);
    const open = await subtle.importKey("jwk", publicJwk, { name: "RSA-PSS", hash }, true, ["verify"]);
    const check = (saltLength, given) => subtle.verify({ name: "RSA-PSS", saltLength }, open, given, message);
    for (const [saltLength, signature] of Object.entries(pss[hash])) {
      const given = bytes(signature);
      const length = Number(saltLength);
      console.log(hash, saltLength, await check(length, given), await check(length + 1, given), await check(length, tampered(given, 9)));
    }
    const unsalted = await subtle.sign({ name: "RSA-PSS", saltLength: 0 }, own, message);
    console.log(text(unsalted) === pss[hash][0]);
    for (const saltLength of [1, 32, 256 - 2 - { "SHA-1": 20, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64 }[hash]]) {
      const [one, two] = [await subtle.sign({ name: "RSA-PSS", saltLength }, own, message), await subtle.sign({ name: "RSA-PSS", saltLength }, own, message)];
      // Two salts of one byte are equal by chance, once in 256 times.
      console.log(saltLength, saltLength > 1 && text(one) === text(two), await check(saltLength, one), await check(saltLength - 1, one));
    }
    console.log(await failure(() => subtle.sign({ name: "RSA-PSS", saltLength: 250 }, own, message)));
    console.log(await failure(() => subtle.sign({ name: "RSA-PSS", saltLength: -1 }, own, message)));
  }
  // A key is for one algorithm and one hash.
  const sha1 = await subtle.importKey("jwk", publicJwk, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-1" }, true, ["verify"]);
  const own = await subtle.importKey("jwk", jwk, { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, false, ["sign"]);
  const signature = await subtle.sign("RSASSA-PKCS1-v1_5", own, message);
  console.log(await subtle.verify("RSASSA-PKCS1-v1_5", sha1, signature, message));
  console.log(await failure(() => subtle.verify({ name: "RSA-PSS", saltLength: 0 }, sha1, signature, message)));
  console.log(await failure(() => subtle.sign("RSASSA-PKCS1-v1_5", sha1, message)));
  console.log(await failure(() => subtle.verify("RSASSA-PKCS1-v1_5", own, signature, message)));
  // Too short for the hash.
  const pair = { name: "RSASSA-PKCS1-v1_5", modulusLength: 512, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-512" };
  const short = await subtle.generateKey(pair, false, ["sign", "verify"]);
  console.log(await failure(() => subtle.sign("RSASSA-PKCS1-v1_5", short.privateKey, message)));
  console.log(await subtle.verify("RSASSA-PKCS1-v1_5", short.publicKey, new Uint8Array(64), message));
})();
