"""`re`: groups, flags, substitution, lookaround, splitting."""

import re

log = "2024-01-15 ERROR db: timeout after 30s\n2024-01-16 INFO web: ok\n2024-02-01 ERROR web: 500 after 2s"
pattern = re.compile(r"^(?P<date>\d{4}-\d\d-\d\d) (?P<level>[A-Z]+) (\w+): (.*)$", re.MULTILINE)
for match in pattern.finditer(log):
    print(match["date"], match.group("level", 3), match.span(4), match.groupdict()["level"])
print(re.findall(r"(\d+)s", log), re.search(r"info", log, re.I).group(), re.match("x", log))
print(
    re.sub(r"(\d+)-(\d+)-(\d+)", r"\3.\2.\1", log.splitlines()[0]),
    re.sub("[aeiou]", lambda m: m[0].upper(), "education"),
)
print(re.split(r"[;,]\s*", "a, b;c,d"), re.split("(-)", "a-b-c", maxsplit=1), re.subn("a", "b", "banana"))
print(re.findall(r"(?<=\$)\d+(?:\.\d\d)?", "$5 and $7.25"), re.findall(r"\b\w+(?=!)", "hey! you! there"))
print(re.fullmatch(r"(a+)+b", "aaab") is not None, re.findall(r"<(.+?)>", "<a><bc>"), re.escape("a.b*c"))
print(re.sub(r"(?x) ( \w+ ) \s+ \1  # a doubled word", r"\1", "the the cat"), re.findall(r"(a)|(b)", "ab"))
print([m.group() for m in re.finditer(r"[^\W\d_]+", "naïve 日本 x1")], re.search(r"(?s)a.b", "a\nb") is not None)
print(re.compile(r"(?P<y>\d+)").groupindex["y"], re.search(r"(?i:A)b", "ab").end(), re.findall(r"^\w", "a\nb", re.M))
print(re.findall(r"a{2,3}?", "aaaa"), re.findall(r"(?>a+)b", "aab"), re.findall(r"x*+y", "xxy"))
try:
    re.compile("(unclosed")
except re.error as error:
    print(error.msg, error.pos)
