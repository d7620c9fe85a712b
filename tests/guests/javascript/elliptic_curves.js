// Signatures and shared secrets on curves. The keys, and what is verified with them, were made by Node 20.
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
const keys = {
  "P-256": {
    kty: "EC",
    x: "QvcteHIqTertiX9obdRm2z0YYXrunfTZEGSOAXsKg5o",
    y: "IHLFqtogX8LIVWUw4wZRcbZzW4giZ94JpKvYBffsT9g",
    crv: "P-256",
    d: "ZMKjlmxxmkVXfBTxHmhJDJWyKeOG8qdggxU91LdPeTg"
  },
  "P-384": {
    kty: "EC",
    x: "yWwKVHJAfTLOsmcMMgklyYDPcIobUoaCjBjpbfKta0KQzHHzG3Dc5Ka_-1RiaXWH",
    y: "SDRQ7uHEA8C6PwpjZHoWTfoKIqIS-Ms8ct30vvH_vJPEUxWdI-P0NcBUnrMJ9BGP",
    crv: "P-384",
    d: "Bc2VI3rcwZJXn0L-8_Kwx3cwnNTWQX7erpnsCG3p1YRmdlvYzXD3iAJZEU3Wm5Wt"
  },
  "P-521": {
    kty: "EC",
    x: "ABNMfAlvhebLC8R1fKnEil0Oz1h6OmrYTm-4iGG2Bw47tZqRnh8ogs-q3Q6k2JriEd-_QHhtmmTzQWJC-P-wSXGj",
    y: "Aa_VmInulL8_pFeENLWU8C0cSkxBwLbyWu81sFaQBik6qzZkkYNKT8Rccmmk8DcoHJgu31RPgYYW2hOnWpqVYpS7",
    crv: "P-521",
    d: "AePTOPvmRDW36V1nF58U0fdepECR2-WNApMShtMVWES-X46m7wFujcM73NyYNXkmSSS9Jo9Aso5xtlGKx909uNlk"
  }
};
const signatures = {
  "P-256": {
    "SHA-1": "adR5-lSaq0v1ChoWQEdg5YskOezrlI5yptVHGr-wc0itcybJ5eIeZHR8JzVzxwNs69HKILHwpLT-SWiyg7ZPtQ",
    "SHA-256": "bm5kfKq1cP_34HQ7TNHir7qu2RY_2JxUKQgz3LVVmBkV9eQalvVbyHwtuPDrOKNJ7-291PKptRcvxPl9CMET8w",
    "SHA-384": "bzdEPSHrYlZm5Ram0BLWeDVEOcE-0q_nuXcdDd-lk0X1ABwOdFC8ySoSzAYFCW49jQG6BWpT3SCF2PskONnJTg",
    "SHA-512": "uV9xXHU5sjzikMH09sEVNl92NbcbIpZ5gsUiFtD9JgJxzStpcUeQEGSwtPfD7Ua1_wVmc8zaUh-W1YH6YPSaYA"
  },
  "P-384": {
    "SHA-1": "Q4kJPFvIvGgcLRCfNJ213-r7QSj2BfATyf-C83UiEOopS-JsKc12eXePuKlqwfaD3jGUTxHnc5n1TmEFZixd4kz-YeKVZHA5U0ikwygjn2mEUE3ooW5PhbCKfJ0RXbRR",
    "SHA-256": "PxqzE5Dx-a1CxJD7VEFydHpEZuPKt6aDxYtPOeClDxeJe6n58RkJW3WNu0r0HTnxklvf3Rik5RGpjLZshhX2bh08gYyhXgJ49iiXzPGy-xbRkYiKN5LD4ehoiP6KJYxE",
    "SHA-384": "NsphrTIt2uj9wfw2IogYpJMO3jwudRt70l-hDrOoazeF3NNy1yyLYfX2Kb0UFXM0ydIpKn7beLIy-t4_I7PAnoE04SMAB20UAJqhCXHvmyKl7G4kN0b8BnJeLbjDySiD",
    "SHA-512": "50Zp1GZeAE26xFE2KeLgdR_y4gtV6C_JpoyBxEjb70U_IfK-YH7xg5D8Iiquq83FmU7LqeCpQe7ofy-yCJ1m04t9Sgplz5eceTAG1iN4jB59WAcML8k6YPH6FLOndCJa"
  },
  "P-521": {
    "SHA-1": "AP611PmAbWuNNZwSWw2cuGlmxZSlxEV2lKu5GODHt51Ah0dl-HUfzd_zHcfB_6RDqAvb2k6RUZbR6_Y6hIxFohjaADE7F4X57n87b2MjoZTrF5EmELDIpi3fTiX7Ym3ySO1uCojfzL321wWYD7iJienhljEm94JlNCUT1sqiNFN8aj4S",
    "SHA-256": "AaUuZj80C-DDFr0VcuhbdKJt7SrRiWK7tyQYRKgX7inXZLzPZE5BDONrw8Sx75pDjPnO76cJE-UqQJvEoHFd0AK8ALMcxnwEqHgqcgnYbmukC-_ooqVroSJcVe8twFS_wueSsvCpB-3gmjz9cfyVhodqLaRHKE4UlyFUnaGZpkv37KMg",
    "SHA-384": "ALLxAAwqPScXfXkVJNVqeo4aqEsVe8WCxZMtqgMLFBJ5HUwH4AhplA2lgC87ghizhSWpCoIIYugkG4PWU-v0atB6AV8vvz1VvBplLZrKL1wBShjMkRtsHGfbDS_6l85kHmCdy5S9s8v6LysrWJ8KQFbv-upW5N2NMPoxDdiKZ30lTqoX",
    "SHA-512": "AQJqiwFFXUfWGXcsemzJvnie9bnt2lLQK_6rc3MN-xXv09LgklFu8eWuLaTB19WpltYibaFu62jhIfrjj0xOKN54AJdebPgSY6Hf0ZiW5eI3KmbG-9RlhwqKwAV8FQbRtWejQ8jM2D9XWndQPJ6RQm4Mxl67m4f2BTILtl_N32q3gGQE"
  }
};
const partners = {
  "P-256": {
    own: "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYQo6aYrwDAySY0VBphJAWegSCezDMfTM7yuAUeNMoxyhRANCAARtp0ROMeZ_1PAkUl3xkZIGYaGLmfJRf6Py8prSPc79T74L3kYN7m3EbhFJ637O_FlfX0p2Y5OKHOM4yX1uAHeI",
    other: "BM31cJb8Fg_lMzdpPgj-TgecZK67fRtw_wReMD5WiIK6SzMZFJMkDHt8p_1mJoJqsCN-6RqjW_Xj1T8H0ALCCLQ",
    spki: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEzfVwlvwWD-UzN2k-CP5OB5xkrrt9G3D_BF4wPlaIgrpLMxkUkyQMe3yn_WYmgmqwI37pGqNb9ePVPwfQAsIItA"
  },
  "P-384": {
    own: "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDB8cfMEdrlVu4yU_hJYi7ra-yQdEda92LAZoT5bEZJyM9bjGUxVJ0_t2QXkXYjcpImhZANiAAS_CgpbJ0TzoCHirh9CFW5HnWPPDPNXCDKo8t4Ny1YEpP1s7DF60f3Fe0HomOwTA93Y-unemHErh1sRJ-BqzRN9i_db6TiMMQ06Ur_kqElMtPGVJeBM-rJaveBt1clSt6Q",
    other: "BENB-pVqV7M7EED58-_EVUlRcjnP_weYTCWCg8FK2nb1q5euHOZt44JlKfAQISFPkq1sPGZwQpaaLIAU7TD0zLqovzYuwKE84sVRLyu9-tXK6_OPGTQSPvK5P2JBIrh7hA",
    spki: "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEQ0H6lWpXszsQQPnz78RVSVFyOc__B5hMJYKDwUradvWrl64c5m3jgmUp8BAhIU-SrWw8ZnBClposgBTtMPTMuqi_Ni7AoTzixVEvK7361crr848ZNBI-8rk_YkEiuHuE"
  },
  "P-521": {
    own: "MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIBIMcQKK8BJOmewrWxjXZ6rTbuml_eaeCIYho1z4zQPiQRsuouPgz_F4kiyA4tOy5KuTOVjog6Myj0bGfJHHCBrhihgYkDgYYABABkim1X6Y9-Vev9EuVaeZvp51vEUNHMIe6LVdvww4brqIMzPYDfKRohJUcwWSUb6YFN-XNDUSjlixY51tsfUtHuWABMCHyEyS2HL3AEU9B1ksNQLszn82Ott52ZyxPNMJmmgPw9ScMS8p3PqCz4dSqPCw5BMAA7lq9jLLH_fJsk8BsU3Q",
    other: "BAFrPTMGXMCBYOX9FnWXc_xhEEQg0B53dWBSGqWa2-nkPx9-MYy1xnO3Ad5MDYOzWkvjeeu7SpM3rd-_q3ZkxrnA4wDwiMpyQmFJMWWpQ9jgF5vwRD87nZ84_uYxm1mkWENXWf52GLJ0tWuffqbzUvcYr7uUqw6xSfHpunvoWcMoQqxn2w",
    spki: "MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQBaz0zBlzAgWDl_RZ1l3P8YRBEINAed3VgUhqlmtvp5D8ffjGMtcZztwHeTA2Ds1pL43nru0qTN63fv6t2ZMa5wOMA8IjKckJhSTFlqUPY4Beb8EQ_O52fOP7mMZtZpFhDV1n-dhiydLVrn36m81L3GK-7lKsOsUnx6bp76FnDKEKsZ9s"
  },
  X25519: {
    own: "MC4CAQAwBQYDK2VuBCIEILAiCgr_rt3uvl52Bod0wa2ptdIDMlk5fJXWf_yIUDhe",
    other: "jw12e01GxHZWshDrRNGQDF2LgT9-HCfZe2nJ1OO6LSI",
    spki: "MCowBQYDK2VuAyEAjw12e01GxHZWshDrRNGQDF2LgT9-HCfZe2nJ1OO6LSI"
  }
};

(async () => {
  for (const [namedCurve, jwk] of Object.entries(keys)) {
    const algorithm = { name: "ECDSA", namedCurve };
    const own = await subtle.importKey("jwk", jwk, algorithm, true, ["sign"]);
    const { d, ...open } = jwk;
    const verifying = await subtle.importKey("jwk", open, algorithm, true, ["verify"]);
    console.log(namedCurve, own, Object.keys(await subtle.exportKey("jwk", own)).join());
    for (const hash of HASHES) {
      const given = bytes(signatures[namedCurve][hash]);
      const check = (signature, content = message) => subtle.verify({ name: "ECDSA", hash }, verifying, signature, content);
      console.log(hash, await check(given), await check(given, message.slice(1)), await check(given.map((byte, at) => (at === 20 ? byte ^ 1 : byte))));
      console.log(await check(given.subarray(1)), await check(new Uint8Array(given.length)), await check(new Uint8Array(0)));
      const signature = await subtle.sign({ name: "ECDSA", hash }, own, message);
      console.log(signature.byteLength, await check(signature), await check(signature, new Uint8Array(3)));
    }
    const forms = { spki: await subtle.exportKey("spki", verifying), raw: await subtle.exportKey("raw", verifying), pkcs8: await subtle.exportKey("pkcs8", own) };
    for (const [format, form] of Object.entries(forms)) {
      const again = await subtle.importKey(format, form, algorithm, true, [format === "pkcs8" ? "sign" : "verify"]);
      const written = await subtle.exportKey("jwk", again);
      console.log(format, text(form), written.x === jwk.x, written.y === jwk.y, written.d === (format === "pkcs8" ? d : undefined));
    }
    const other = namedCurve === "P-256" ? "P-521" : "P-256";
    console.log(await failure(() => subtle.importKey("raw", forms.raw, { name: "ECDSA", namedCurve: other }, true, ["verify"])));
    console.log(await failure(() => subtle.importKey("jwk", { ...jwk, crv: other }, algorithm, true, ["sign"])));
    console.log(await failure(() => subtle.importKey("jwk", { ...jwk, alg: "ES1" }, algorithm, true, ["sign"])));
    console.log(await failure(() => subtle.importKey("jwk", { ...jwk, x: jwk.y }, algorithm, true, ["sign"])));
    console.log(await failure(() => subtle.exportKey("raw", own)), await failure(() => subtle.importKey("jwk", jwk, algorithm, true, [])));
  }
  for (const [name, { own, other, spki }] of Object.entries(partners)) {
    const algorithm = name === "X25519" ? { name } : { name: "ECDH", namedCurve: name };
    const key = await subtle.importKey("pkcs8", bytes(own), algorithm, true, ["deriveBits", "deriveKey"]);
    const partner = await subtle.importKey("raw", bytes(other), algorithm, true, []);
    const sameOne = await subtle.importKey("spki", bytes(spki), algorithm, true, []);
    const bits = (length, given = partner) => failure(async () => text(await subtle.deriveBits({ name: algorithm.name, public: given }, key, length)));
    console.log(name, await bits(null), await bits(null, sameOne) === await bits(null), text(await subtle.exportKey("pkcs8", key)) === own);
    console.log(await bits(128), await bits(0), await bits(13), await bits(9), await bits(16), await bits(4096));
    const derived = await subtle.deriveKey({ name: algorithm.name, public: partner }, key, { name: "AES-GCM", length: 256 }, true, ["encrypt"]);
    console.log(text(await subtle.exportKey("raw", derived)), derived.algorithm);
    console.log(await bits(256, key), text(await subtle.exportKey("spki", partner)) === spki, partner.usages, partner.algorithm);
    const { privateKey, publicKey } = await subtle.generateKey(algorithm, true, ["deriveBits"]);
    const mine = await subtle.deriveBits({ name: algorithm.name, public: await subtle.importKey("raw", await subtle.exportKey("raw", publicKey), algorithm, true, []) }, key, null);
    const exported = await subtle.exportKey("jwk", key);
    const { d, key_ops, ...open } = exported;
    const theirs = await subtle.deriveBits({ name: algorithm.name, public: await subtle.importKey("jwk", open, algorithm, true, []) }, privateKey, null);
    console.log(text(mine) === text(theirs), Object.keys(exported).join(), exported.crv, publicKey.usages, privateKey.usages);
    console.log(await failure(() => subtle.generateKey(algorithm, true, ["sign"])), await failure(() => subtle.generateKey(algorithm, true, [])));
    console.log(await failure(() => subtle.importKey("raw", bytes(other), algorithm, true, ["deriveBits"])), await failure(() => subtle.importKey("raw", new Uint8Array(31), algorithm, true, [])));
  }
  const [one, two] = [await subtle.generateKey("X25519", false, ["deriveBits"]), await subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, false, ["deriveBits"])];
  console.log(await failure(() => subtle.deriveBits({ name: "X25519", public: two.publicKey }, one.privateKey, 8)));
  console.log(await failure(() => subtle.deriveBits({ name: "ECDH", public: two.publicKey }, one.privateKey, 8)));
  // Points that give the same secret to every party.
  for (const first of [0, 1]) {
    const point = new Uint8Array(32);
    point[0] = first;
    const known = await subtle.importKey("raw", point, "X25519", true, []);
    console.log(await failure(() => subtle.deriveBits({ name: "X25519", public: known }, one.privateKey, 256)));
  }
  console.log(await failure(() => subtle.generateKey({ name: "ECDSA", namedCurve: "P-999" }, true, ["sign"])));
  const ed = await subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const signature = await subtle.sign("Ed25519", ed.privateKey, message);
  console.log(signature.byteLength, await subtle.verify("Ed25519", ed.publicKey, signature, message), (await subtle.exportKey("jwk", ed.publicKey)).alg);
})();
