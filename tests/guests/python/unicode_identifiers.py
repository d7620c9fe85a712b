"""Source in any script, normalised identifiers, emoji in text, escapes."""

größe = 3
名前 = "太郎"
ﬁ = 1
print(größe, 名前, fi, "🇪🇺".encode("unicode_escape"), "\U0001f40d", "\x41\101\u0042", r"\n", "ab")
print(
    len("🐍"),
    [hex(ord(c)) for c in "é\u0301"],
    sorted("zäa"),
    "İ".lower() == "i̇",
    "ß".upper(),
    "\N{GREEK SMALL LETTER MU}",
)
s = "x\
y"
print(s, """triple "quoted" 'text'""", f"{'日本':>6}|", "\a\b\f\v\0".encode())
