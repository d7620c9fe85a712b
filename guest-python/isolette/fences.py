"""Programs in Markdown: the code between fences, with what surrounds it left out. Lines keep their numbers."""

import ast
import re

# The fence, and what follows it: the name of a language at the beginning.
_FENCE = re.compile(r"([ \t]*)(`{3,}|~{3,})[ \t]*(.*)", re.DOTALL)
_TAG = re.compile(r"[\w+.#-]*")
_OWN = frozenset(["python", "py", "python3", "py3", "ipython", "ipython3", "pycon"])
_MOST = 1000


def begins(source):
    """Returns whether the text begins with a fence that no program begins with."""
    return source.lstrip().startswith("```")


def programs(source):
    """Yields the texts of programs that this text may stand for, the most likely one first. There may be none.

    Raises `SyntaxError` if there are several and nothing says which one is meant.
    """
    if "```" not in source and "~~~" not in source:
        return
    lines = source.splitlines(keepends=True)
    whole = _whole(source, lines)
    if whole is not None:
        yield whole
    blocks = _blocks(lines)
    if blocks and blocks[-1][0] == "" and blocks[-1][2] > len(lines):
        # A fence that only ends, or one that begins what may be anything.
        start = blocks.pop()[1]
        if not "".join(lines[start:]).strip() and not blocks and start > 1:
            yield "".join(lines[: start - 1])
            return
    chosen = [block for block in blocks if block[0] in _OWN]
    if not chosen:
        chosen = [block for block in blocks if not block[0]]
        if len(chosen) > 1:
            line = chosen[1][1]
            raise SyntaxError(
                f"the text has {len(chosen)} code blocks, and none says that it is Python",
                (None, line, 1, lines[line - 1]),
            )
    if chosen:
        text = _only(lines, chosen)
        if text != whole:
            _check_outside(lines, blocks)
            yield text


def _check_outside(lines, blocks):
    """Raises `SyntaxError` if there is code outside of the blocks, which must not be lost."""
    inside = set()
    for _, start, end, _ in blocks:
        inside.update(range(start - 1, end + 1))
    paragraph, first = [], 0
    for number, line in enumerate([*lines, ""]):
        if number not in inside and line.strip():
            first = first if paragraph else number
            paragraph.append(line)
            continue
        if _is_code("".join(paragraph)):
            message = "there is code outside of the code block"
            raise SyntaxError(message, (None, first + 1, 1, lines[first]))
        paragraph = []


def _is_code(text):
    try:
        body = compile(text, "", "exec", ast.PyCF_ONLY_AST, True).body
    except (SyntaxError, ValueError):
        return False
    # Words of a text can be names and tuples, and even an annotation: `Result: a`.
    return any(
        not (type(node) is ast.AnnAssign and node.value is None)
        and not (type(node) is ast.Expr and not any(type(part) is ast.Call for part in ast.walk(node)))
        for node in body
    )


def _whole(source, lines):
    """Returns what is between a fence at the beginning and the last one like it, which a program may contain too."""
    first = next((number for number, line in enumerate(lines) if line.strip()), None)
    opening = _FENCE.match(lines[first]) if first is not None else None
    if opening is None:
        return None
    indentation, fence, rest = opening.groups()
    if rest.rstrip().endswith(fence):  # A program of one line.
        return "\n" * first + indentation + rest.rstrip().removesuffix(fence).rstrip()
    for last in range(len(lines) - 1, first, -1):
        if _closes(lines[last], fence):
            break
    else:
        last = len(lines)
    return _only(lines, [("", first + 1, last, len(indentation))])


def _blocks(lines):
    """Returns the blocks as CommonMark defines them: the language, the numbers of the first and the last line (excluded), the
    indentation.
    """
    found = []
    start = None
    for number, line in enumerate(lines):
        if start is not None:
            if _closes(line, fence):
                found.append((tag, start, number, indentation))
                start = None
            continue
        opening = _FENCE.match(line)
        # Text after ``` cannot contain a backtick: that would be code within a line.
        if opening and not (opening[2][0] == "`" and "`" in opening[3]) and len(found) < _MOST:
            fence, indentation, start = opening[2], len(opening[1]), number + 1
            tag = _TAG.match(opening[3].strip().lstrip("{").lstrip("."))[0].lower()
    if start is not None:
        is_first = not "".join(lines[: start - 1]).strip()
        # One without an end ends beyond the last line.
        found.append((tag, start, len(lines) + (not tag and not is_first), indentation))
    return found


def _closes(line, fence):
    text = line.strip()
    return len(text) >= len(fence) and text == fence[0] * len(text)


def _only(lines, blocks):
    """Returns the lines of the blocks, each at its place. Lines lose the indentation of their fence."""
    kept = ["\n"] * len(lines)
    for _, start, end, indentation in blocks:
        for number in range(start, min(end, len(lines))):
            line = lines[number]
            spaces = len(line) - len(line.lstrip(" \t"))
            kept[number] = line[min(indentation, spaces) :]
    end = max(block[2] for block in blocks)
    return "".join(kept[:end])
