"""The symbols that object files and archives define, to find out which modules can be linked into one library.

Two modules may have functions of one name that differ. Linked together, one of them would silently call the other's.

Formats: https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md, and archives of Unix.
"""

_FUNCTION, _DATA = 0, 1
_SYMBOL_TABLE = 8
_WEAK, _LOCAL, _UNDEFINED, _EXPLICIT_NAME = 0x1, 0x2, 0x10, 0x40


def contents(path):
    """Yields the object files of an archive, or an object file itself."""
    data = path.read_bytes()
    is_thin = data.startswith(b"!<thin>\n")
    if not is_thin and not data.startswith(b"!<arch>\n"):
        yield data
        return
    position, names = 8, b""
    while position + 60 <= len(data):
        name = data[position : position + 16].decode().strip()
        size = int(data[position + 48 : position + 58])
        position += 60
        if name == "//":
            names = data[position : position + size]
        elif is_thin and name != "/":
            # A thin archive has the paths of its members.
            if name[0] == "/":
                start = int(name[1:])
                name = names[start : names.index(b"\n", start)].decode()
            yield (path.parent / name.removesuffix("/")).read_bytes()
            continue
        elif data[position : position + 4] == b"\0asm":
            yield data[position : position + size]
        position += size + size % 2


def defined(data):
    """Returns the names of functions and variables that other object files would find in an object file."""
    names = set()
    for identifier, section in _sections(data):
        if identifier == 0:
            name, position = _name(section, 0)
            if name == "linking":
                _read_linking(section, position, names)
    return names


def _read_linking(section, position, names):
    _, position = _number(section, position)
    while position < len(section):
        kind = section[position]
        size, position = _number(section, position + 1)
        if kind == _SYMBOL_TABLE:
            _read_symbols(section[position : position + size], names)
        position += size


def _read_symbols(table, names):
    count, position = _number(table, 0)
    for _ in range(count):
        kind = table[position]
        flags, position = _number(table, position + 1)
        name = None
        if kind == _DATA:
            name, position = _name(table, position)
            if not flags & _UNDEFINED:
                for _ in range(3):
                    _, position = _number(table, position)
        else:
            _, position = _number(table, position)
            has_name = kind != 3 and (not flags & _UNDEFINED or flags & _EXPLICIT_NAME)
            if has_name:
                name, position = _name(table, position)
        if name and kind in (_FUNCTION, _DATA) and not flags & (_UNDEFINED | _LOCAL | _WEAK):
            names.add(name)


def _sections(data):
    position = 8
    while position < len(data):
        identifier = data[position]
        size, position = _number(data, position + 1)
        yield identifier, data[position : position + size]
        position += size


def _number(data, position):
    value = shift = 0
    while True:
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if not byte & 0x80:
            return value, position


def _name(data, position):
    length, position = _number(data, position)
    return data[position : position + length].decode(), position + length
