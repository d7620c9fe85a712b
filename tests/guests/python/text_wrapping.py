"""`textwrap`, `difflib`, `string`, `unicodedata`."""

import difflib
import string
import textwrap
import unicodedata

text = "The quick brown fox jumped over the lazy dog. " * 2
print(textwrap.fill(text, width=30, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(text, 25), repr(textwrap.dedent("    a\n      b\n")), textwrap.indent("x\ny", "> "))
print("".join(difflib.unified_diff(["a\n", "b\n", "c\n"], ["a\n", "B\n", "c\n", "d\n"], "old", "new")))
print(
    difflib.get_close_matches("appel", ["ape", "apple", "peach"]),
    f"{difflib.SequenceMatcher(None, 'abcd', 'bcde').ratio():.2f}",
)
print(
    list(difflib.ndiff(["one"], ["ore"])),
    string.ascii_lowercase[:5],
    string.punctuation[:6],
    string.capwords("hello big world"),
)
print(
    unicodedata.name("é"),
    unicodedata.normalize("NFD", "é").encode(),
    unicodedata.category("€"),
    unicodedata.numeric("½"),
)
print(
    unicodedata.lookup("GREEK SMALL LETTER ALPHA"), unicodedata.east_asian_width("日"), unicodedata.bidirectional("א")
)
print("".join(c for c in unicodedata.normalize("NFD", "Crème Brûlée") if not unicodedata.combining(c)))
