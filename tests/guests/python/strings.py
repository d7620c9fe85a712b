"""Text: methods, slicing, Unicode."""

s = "Hello, World"
print(s.lower(), s.upper(), s.swapcase(), s.title(), s.casefold() == "hello, world")
print(s[0], s[-1], s[2:5], s[::-1], s[::2], s[100:], s[-5:-1])
print(s.find("o"), s.rfind("o"), s.index("W"), s.count("l"), "World" in s)
print("a,b,,c".split(","), "a b  c".split(), "x=1=2".partition("="), "x=1=2".rpartition("="))
print("-".join("abc"), "abc".center(9, "*"), "7".zfill(3), "abc".ljust(5) + "|", "abc".rjust(5))
print("  pad ".strip() + "|", "xxabcxx".strip("x"), "prefix_name".removeprefix("prefix_"), "f.py".removesuffix(".py"))
print("a\tb".expandtabs(4), "one\ntwo\r\nthree".splitlines(), "ab" * 3, "abc" < "abd")
print("banana".replace("a", "o", 2), "hello".translate(str.maketrans("el", "ip", "o")))
print("Straße".casefold(), "ﬁ".upper(), len("👩‍👩‍👧"), "é" == "e\u0301", "\N{SNOWMAN}", "日本語".encode())
print("abc".isalpha(), "12".isdigit(), "½".isnumeric(), "a1".isalnum(), "_x".isidentifier(), " ".isspace())
print(ord("A"), chr(0x1F600), ascii("é"), repr('it\'s "q"'), str(None), "%s is %05.1f%%" % ("x", 3.14159))
