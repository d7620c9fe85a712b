# Names that look like others, or like `..`, after Unicode or case folding.
# expect: contained

import os

UPWARDS = [
    "\u2024\u2024", "\u2025", "\uff0e\uff0e", "..\u200b", "\u202e..", "..\u0301", ".\u0338.", "%2e%2e", "..%00", "..\\", "\u2216..",
    "\uff0f..", "..\u2044", "\u00b7\u00b7", "\udcff",
]


def text(path):
    try:
        with open(path) as file:
            return file.read()
    except (OSError, ValueError):
        return ""


mistakes = [name for name in UPWARDS if "secret" in text(f"/input/{name}/secret.txt")]

# Two names are two files, or the second is refused; never one file under the other's name.
pairs = [("A", "a"), ("\u00e9", "e\u0301"), ("\ufb01", "fi"), ("\u00df", "ss"), ("\u0130", "i"), ("K", "\u212a"), ("x", "x\u200d")]
for number, pair in enumerate(pairs):
    folder = f"/output/{number}"
    os.mkdir(folder)
    for name in pair:
        try:
            with open(f"{folder}/{name}", "x") as file:
                file.write(name)
        except OSError:
            pass
    for name in os.listdir(folder):
        if text(f"{folder}/{name}") != name:
            mistakes.append(name)
result = "contained" if not mistakes else [ascii(name) for name in mistakes]
