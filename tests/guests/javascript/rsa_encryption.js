// RSA-OAEP: what Node encrypted is decrypted, keys are wrapped, and what is not for a key is refused.
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
const encrypted = {
  "SHA-1": {
    plain: "CaeW-gzXwO2qI6LhUWqCN_r84By8re2X4Pfa_lMQyBI18IKaWssUQqrU4BfWuZ3Gp96htzmGcGW7Z4KQFwxgvevuQAbgQ3O2uwjGveHEpZNdAycYOLbt7I6lRpFdKHphzrmaMNHRXzjAehOnqgfq1g1dBCu5Sux7-G3wJn9xq5dlryDQQtjVkmESXp0RrJwd266IGwUZ0jX0niTKcB7cYqkccgN6sR-FwxFdXNMBVblAq6thynDKu5rBYZuDurEYfE7-pJRBqIxBosdqW9Sk52-Xf95s9aprlsj52c_Kk9hq-iN93hUPgs6LpDuJo0Sjh5Mb7wPxOpR0HO5EUDmAAA",
    labelled: "ILNWC7jW7igRJvI4LlwZhbVdqjOx3_ewOqgaRI7Vij_bFkiUbHt95oy5ZcqdM5CEm-g4dxkTCK2D2ZH7tLSYn3c1_rKtPDY25WGMD5PcJA0fZF0EeWBYWug4DX3EMADs16CO54586UMFOVvrwMo9AIV_8y1_LIHOEURxu_p6-rAG6lE_zNrQNjk2GhIt8ZHvnHCYMpD95tgNYnEeJXS-xzEI8gWIw5PMo8aPpCJRFQVK3UuXh8vzePqFkEH4li7HUwpzbw7bQjrP_o5edRP4VLYDQUYwh2k92RUcyJKCyURug7Mw8ieJ0h98TBjsaQC26ptX5t_9v23p8Gw2Lraieg"
  },
  "SHA-256": {
    plain: "GH7R444TQ1JkSBy_4sI58qQNOXdO4m8JurHCdPFsBuRPwiHzRJg4JszFKeRx4ENKD1LPc9FO8JpWpw1-poKecAQX6B3FyiXIMzScDH5ZNXg_t4W1MFk503Vm-WWAP4DybQK-_q0f0azcaFkZHBhB-utZyQmXceBkygEHzTgQbscTChSWL90kIVQBR5l1OhSDFeRVbtO5b6bdug2fETvGgu69sOM5yBgSO07SDIKrtXq0sg2eml0xFKodJMuTA7YDTBoXCrJ6dDqRURAJHURwZgrmQalaKY2GuFlPvhVlTf1mPfQyuUzWDAbDQz2TCLE7MDbo1l7r2R91YEUUoc2EnQ",
    labelled: "qEA2YmD2o6B-Z0LT3j6ImF-yAbs0ZBSIyfxOW4QxPtGiZxgkA1ZJFHwhhAC0q2lMhSFkN5iXQXGB4skKdonUgXspzil3iEMeuQxUbLmd1ZshK5G_fP90azWq6vNnLrJQWKuTlBatrwKOcoBIHJV_Y2AmssHtuiye0sutVjQs1jzmvMAB3qYpD6lnefd72pSC45TPkg2cY9sFvgj5uVPjGH14wfJfUFlAfLBthdw1tn0TIWxdS2c74uppAhu2-wnpQ-u_AXW0q4isPhRQ4AZmM5DC7AHD2cIbIoGu1FswqYSsCnavR5XsjD4Mf4rZ4RKgxJt64ZcBFoSCIxIzRBxoPg"
  },
  "SHA-384": {
    plain: "S9J7WTDEi9CZ3SCjNdSUWBulTOZFOQaUaH617XVGMNDjYMLA0mB7B7gOrwEIlWYoaYFnd26II__HQ76hzfCYGs8M9RYGkjfbcE6fVOTmg16Iimj4ZumT4Pjt23tEb2gvD6N2u38EQ5zBIAQDmNJg1hD9MQ3UdIbj0AuvR2jFsUtCVDhqzadHxXul3mK2WYK6P-65eKVENGCRKeBtDclFogzC30o79eDYL1F00ypfuCHY4SNTwQ1fc3LSxJZfKTOVDF59xtxZZ-nY7zMnR5y5fiYaRy46ucPdKbahavWx3Na1460VMI3ykVC3SZcqODU0kKfuiDm7zr1wKpQviHDfDQ",
    labelled: "eDMfrnNhMWB5RJd0eS5S0XpG83CMjdHWl1E7gZ5ulNhCp3NaTR0m1GEq99PylknEru9XPis2YYhaFXA_hSLx2fjPWdDmXjuJLqx1TrKYiL8AskfiqxFfXUCbAXdlMGzGAjosNstrgBBYPCc57u__mR9-Qj6d1L_XxfLPhIb0PbWF1pKJNkU726nNHRDRMf-yZqcZPauJjeVDjjrCf985cKunpv23ntJ2uMUQ_AGecwAkrAJYXZDzb4lmDKCVAEvYW9NG34BQiC575eFQirzcgcFv3TmwReKAPQnCnMcNJjClS7xTVMSksEOLwV1JRs3cQPGAzsMZMQqqxDH4xXhrRw"
  },
  "SHA-512": {
    plain: "Y2uUAoszqlTQV9tFjMo2ZDl9YHQhWmlk6KlSWQQ_uJM52TFDxOs8tGC3lEpuR6DWfzlMYCSRgVo7JfZLnWOOw1dnPqeIAq6R7OBpDTqMptLHDxY7bNCHkHAhLrP0A5GkrZF6YmYcylOQAAppYYOWq5aIJcts-VC7abbC3PxzVpBIg-QxxYDo1gKj41N45KYqy7PLCkLLHkGrPWvRLp5w5OAnls7vFqVbkzJwe0rH4d2grDHUIEobj-8cbNg3qVlkA0L9-4xZ8d-UCq7VfY1NeA6Li0Lvw-J27CWqMtIvmvQSRRpOg0dco5ObJVuvjXvOPxK8clc44l7dqJTcG_zF5A",
    labelled: "f_jXNlTfEpf252MrJnjs1gB8DMIREH8cLUdZF6Ogw1crM3f-L3ABmgZ1CO8_y90YfNg1S_Be4MJ-WXfSttZP88VTADIO-7nXnTskInL1gHlIIKxRD3PMRPMVbh80UVTUVVV_cYCLyP3e_kPfNt5u0rSsC6yyib33jZC5Q_H037jFFqenhXT_nduB7SujkVgXv4IjozUvaXiSgqO6O9E72Ldh19ovJ7DwTJnXUVW8VtiFXLeGJ-rxM8S57Cml7050MWH4aoDVVcGXyPHwYLV0zGo1mUOn4G2zeWcvCk7HNmtnX8spkwgR-MQvYHiLMm79X4e1phm361qkw-UCLD_U_g"
  }
};
const publicJwk = { kty: jwk.kty, n: jwk.n, e: jwk.e };

(async () => {
  const label = new TextEncoder().encode("label");
  for (const hash of HASHES) {
    const own = await subtle.importKey("jwk", jwk, { name: "RSA-OAEP", hash }, false, ["decrypt", "unwrapKey"]);
    const open = await subtle.importKey("jwk", publicJwk, { name: "RSA-OAEP", hash }, true, ["encrypt", "wrapKey"]);
    const { plain, labelled } = encrypted[hash];
    const decrypt = (content, options) => failure(async () => Buffer.from(await subtle.decrypt({ name: "RSA-OAEP", ...options }, own, content)).toString());
    console.log(hash, await decrypt(bytes(plain)), await decrypt(bytes(labelled), { label }));
    console.log(await decrypt(bytes(plain), { label }), await decrypt(bytes(labelled)));
    console.log(await decrypt(bytes(plain), { label: new Uint8Array(0) }), await decrypt(bytes(plain).map((byte) => byte ^ 1)));
    console.log(await decrypt(bytes(plain).subarray(1)), await decrypt(new Uint8Array(0)), await decrypt(new Uint8Array(256).fill(255)));
    const most = 256 - 2 - 2 * { "SHA-1": 20, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64 }[hash];
    for (const length of [0, 1, most]) {
      const content = new Uint8Array(length).fill(7);
      const sealed = await subtle.encrypt({ name: "RSA-OAEP", label }, open, content);
      console.log(sealed.byteLength, text(await subtle.decrypt({ name: "RSA-OAEP", label }, own, sealed)) === text(content));
    }
    console.log(await failure(() => subtle.encrypt({ name: "RSA-OAEP" }, open, new Uint8Array(most + 1))));
    console.log(await failure(() => subtle.encrypt({ name: "RSA-OAEP" }, own, message)));
    console.log(await failure(() => subtle.decrypt({ name: "RSA-OAEP" }, open, message)));
    const key = await subtle.importKey("raw", new Uint8Array(16).fill(3), "AES-CBC", true, ["encrypt"]);
    for (const format of ["raw", "jwk"]) {
      const wrapped = await failure(() => subtle.wrapKey(format, key, open, { name: "RSA-OAEP" }));
      if (typeof wrapped === "string") {
        console.log(format, wrapped);
        continue;
      }
      const again = await subtle.unwrapKey(format, wrapped, own, { name: "RSA-OAEP" }, "AES-CBC", true, ["encrypt"]);
      console.log(format, wrapped.byteLength, text(await subtle.exportKey("raw", again)));
    }
    console.log(await failure(() => subtle.unwrapKey("jwk", bytes(plain), own, { name: "RSA-OAEP" }, "AES-CBC", true, ["encrypt"])));
  }
  // A private key of RSA is too long for RSA itself; AES wraps it.
  const inner = await subtle.importKey("jwk", jwk, { name: "RSA-PSS", hash: "SHA-256" }, true, ["sign"]);
  const wrapping = await subtle.importKey("raw", new Uint8Array(32), "AES-GCM", false, ["wrapKey", "unwrapKey"]);
  const iv = new Uint8Array(12);
  for (const format of ["pkcs8", "jwk"]) {
    const wrapped = await subtle.wrapKey(format, inner, wrapping, { name: "AES-GCM", iv });
    const again = await subtle.unwrapKey(format, wrapped, wrapping, { name: "AES-GCM", iv }, { name: "RSA-PSS", hash: "SHA-256" }, true, ["sign"]);
    console.log(format, again.type, (await subtle.exportKey("jwk", again)).d === jwk.d);
  }
})();
