def _run(name, arguments):
    import os
    import sys

    def fail(path, error):
        print(f"{name}: {path}: {error.strerror or error}", file=sys.stderr)
        return 1

    def flags(allowed):
        given, rest = set(), list(arguments)
        while rest and len(rest[0]) > 1 and rest[0][0] == "-":
            word = rest.pop(0)
            if word == "--":
                break
            for letter in word[1:]:
                if letter not in allowed:
                    print(f"{name}: there is no option -{letter} here", file=sys.stderr)
                    sys.exit(2)
                given.add(letter)
        return given, rest

    def cat():
        _, paths = flags("")
        code = 0
        for path in paths:
            try:
                with open(path, "rb") as file:
                    while part := file.read(65536):
                        sys.stdout.buffer.write(part)
            except OSError as error:
                code = fail(path, error)
        sys.stdout.buffer.flush()
        return code

    def echo():
        has_end = arguments[:1] != ["-n"]
        words = arguments if has_end else arguments[1:]
        print(*words, end="\n" if has_end else "")

    def printf():
        if not arguments:
            print("printf: the format is missing", file=sys.stderr)
            return 2
        escapes = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "0": "\0"}
        text, rest = arguments[0], arguments[1:]
        while True:
            position, out, taken = 0, [], False
            while position < len(text):
                character, following = text[position], text[position + 1 : position + 2]
                if character == "\\" and following in escapes:
                    out.append(escapes[following])
                elif character == "%" and following == "%":
                    out.append("%")
                elif character == "%" and following in ("s", "d"):
                    taken = taken or bool(rest)
                    value = rest.pop(0) if rest else ("" if following == "s" else "0")
                    try:
                        out.append(value if following == "s" else str(int(value)))
                    except ValueError:
                        print(f"printf: {value!r} is not a number", file=sys.stderr)
                        return 1
                else:
                    out.append(character)
                    position -= 1
                position += 2
            print("".join(out), end="")
            if not rest or not taken:
                return 0

    def pwd():
        print(os.getcwd())

    def ls():
        given, paths = flags("1aA")
        code = 0
        for path in paths or ["."]:
            try:
                names = sorted(os.listdir(path)) if os.path.isdir(path) else [os.stat(path) and path]
            except OSError as error:
                code = fail(path, error)
                continue
            if len(paths) > 1:
                print(f"{path}:")
            for each in names:
                if given & {"a", "A"} or not each.startswith(".") or each == path:
                    print(each)
        return code

    def test():
        checks = {
            "-e": os.path.exists,
            "-f": os.path.isfile,
            "-d": os.path.isdir,
            "-s": lambda path: os.path.exists(path) and os.path.getsize(path) > 0,
            "-n": lambda text: text != "",
            "-z": lambda text: text == "",
        }
        words = list(arguments)
        negated = words[:1] == ["!"]
        words = words[negated:]
        if len(words) == 1:
            found = words[0] != ""
        elif len(words) == 2 and words[0] in checks:
            found = checks[words[0]](words[1])
        elif len(words) == 3 and words[1] in ("=", "!="):
            found = (words[0] == words[2]) == (words[1] == "=")
        else:
            print("test: use -e, -f, -d, -s, -n or -z with a word, or two words with = or !=", file=sys.stderr)
            return 2
        return 1 if found == negated else 0

    def mkdir():
        given, paths = flags("p")
        code = 0
        for path in paths:
            try:
                os.makedirs(path, exist_ok=True) if "p" in given else os.mkdir(path)
            except OSError as error:
                code = fail(path, error)
        return code

    def rm():
        import shutil

        given, paths = flags("rRf")
        code = 0
        for path in paths:
            try:
                if os.path.isdir(path) and not os.path.islink(path) and given & {"r", "R"}:
                    shutil.rmtree(path)
                else:
                    os.remove(path)
            except OSError as error:
                if not ("f" in given and isinstance(error, FileNotFoundError)):
                    code = fail(path, error)
        return code

    known = {"cat": cat, "echo": echo, "ls": ls, "mkdir": mkdir, "printf": printf, "pwd": pwd, "rm": rm, "test": test}
    sys.exit(known[name]() or 0)
