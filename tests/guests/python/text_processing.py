"""Words, anagrams, palindromes, templates, logs, Markdown, names."""

import re
from collections import Counter, defaultdict

text = """It was the best of times, it was the worst of times, it was the age of wisdom..."""
words = re.findall(r"[a-z']+", text.lower())
print(
    Counter(words).most_common(3),
    len(set(words)),
    max(words, key=lambda w: (len(w), w)),
    f"{sum(map(len, words)) / len(words):.2f}",
)
groups = defaultdict(list)
for word in ("listen", "silent", "enlist", "google", "elgoog", "abc"):
    groups["".join(sorted(word))].append(word)
print(sorted(g for g in groups.values() if len(g) > 1))
palindrome = lambda s: (c := [x for x in s.casefold() if x.isalnum()]) == c[::-1]
print(palindrome("A man, a plan, a canal: Panama"), palindrome("nope"))
snake = lambda s: re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[\s-]+", "_", s).lower()
camel = lambda s: re.sub(r"_(\w)", lambda m: m[1].upper(), s)
print(
    snake("someHTTPName here-now"),
    camel("snake_case_name"),
    "the quick fox".title(),
    re.sub(r"\s+", " ", " a  b\n c ").strip(),
)
log = """10.0.0.1 - GET /index 200 512
10.0.0.2 - POST /login 401 0
10.0.0.1 - GET /data 500 -
garbage"""
hits, errors = Counter(), []
for line in log.splitlines():
    if match := re.fullmatch(r"(\S+) - (\w+) (\S+) (\d{3}) (\d+|-)", line):
        address, method, path, status, size = match.groups()
        hits[address] += 1
        if int(status) >= 400:
            errors.append((path, int(status)))
print(hits, errors)
markdown = "# Title\n\nSome *bold* and `code`.\n\n- one\n- two\n"
html = re.sub(r"^# (.*)$", r"<h1>\1</h1>", markdown, flags=re.M)
html = re.sub(r"\*(.+?)\*", r"<b>\1</b>", re.sub(r"`(.+?)`", r"<code>\1</code>", html))
print(
    re.sub(
        r"((?:^- .*\n)+)", lambda m: "<ul>" + re.sub(r"- (.*)\n", r"<li>\1</li>", m[0]) + "</ul>\n", html, flags=re.M
    )
)
print(re.sub(r"\{\{(\w+)\}\}", lambda m: {"name": "Ann", "n": "3"}.get(m[1], m[0]), "{{name}} has {{n}} {{what}}"))
units = [
    "",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
]
tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def spoken(n):
    if n < 14:
        return units[n]
    if n < 20:
        return {15: "fif", 18: "eigh"}.get(n, units[n - 10]) + "teen"
    if n < 100:
        return tens[n // 10 - 2] + ("-" + units[n % 10] if n % 10 else "")
    if n < 1000:
        return units[n // 100] + " hundred" + (" and " + spoken(n % 100) if n % 100 else "")
    return spoken(n // 1000) + " thousand" + (" " + spoken(n % 1000) if n % 1000 else "")


print([spoken(n) for n in (7, 16, 18, 42, 100, 342, 2024)])
emails = "write to ann@example.com, bob.b+x@mail.example.org or @nobody"
print(
    re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", emails), ["".join(w[0].upper() for w in "as soon as possible".split())]
)
