import re
import string
import unicodedata

s = "  The Quick, brown fox!  "
print(s.strip().lower().split(), s.title(), s.swapcase(), s.find("Q"), s.count("o"), s.replace("o", "0", 1), s.strip(" !").partition(","), "a-b-c".rsplit("-", 1), "x".join("abc"), s.strip().startswith(("The", "A")), "abc".translate(str.maketrans("ab", "xy", "c")))
print("straße".upper(), "ǆ".title(), "ß".casefold(), "İ".lower(), "é" == unicodedata.normalize("NFC", "e\u0301"), unicodedata.name("€"), unicodedata.category("a"), "٣".isdigit(), int("٣"), "½".isnumeric(), "abc123".isalnum(), "_x1".isidentifier(), "日本".encode("utf-8"), "日本".encode("shift_jis"), b"\xe9".decode("latin-1"))
print(re.sub(r"(?P<a>\w+) (?P<b>\w+)", r"\g<b> \1", "hello world"), re.findall(r"(\d+)-(\d+)", "1-2, 33-44"), re.split(r"[,;]\s*", "a, b;c"), re.fullmatch(r"\d{3}", "123").span(), [m.group() for m in re.finditer(r"\b\w{3}\b", "the cat sat on")], re.sub(r"\d+", lambda m: str(int(m[0]) * 2), "3 apples, 10 pears"))
print(re.compile(r"""(?x) (\d{4}) - (\d\d)  # date""").match("2024-05").groups(), re.search(r"(?<=\$)\d+(?:\.\d\d)?", "cost $12.50").group(), re.escape("a.b*c"), re.findall(r"(?i)[aeiou]", "AbEcI"), re.match(r"(a)|(b)", "b").lastindex, re.subn("a", "b", "banana"), re.findall(r"^\w", "ab\ncd", re.M))
print("".join(sorted("hello")), "hello"[::-1], "hello"[-3:], "a,b\n c".splitlines(), string.ascii_lowercase[:5], string.punctuation, " ".join(w.capitalize() for w in "the end".split()), "x" * 3, "ab" in "cab", "%s" % None, max("hello"), ord("A"), chr(8364), "a" < "B", "10" < "9", "abc".removeprefix("a").removesuffix("c"))
caesar = lambda t, k: "".join(chr((ord(c) - b + k) % 26 + b) if c.isalpha() and (b := 65 if c.isupper() else 97) else c for c in t)
print(caesar("Hello, World!", 3), caesar(caesar("abc", 5), -5), all(c == d for c, d in zip("racecar", reversed("racecar"))))
print(repr("a\\b"), r"\n", "a" "b", """multi
line""", "\N{GREEK SMALL LETTER ALPHA}", "\x41\u00e9", b"bytes\x00".hex(" "), bytes.fromhex("ff 00"), "zażółć".encode("ascii", "replace"), "zażółć".encode("ascii", "xmlcharrefreplace"), "%08.3f" % 3.14159, "é".encode().decode("latin-1"))
