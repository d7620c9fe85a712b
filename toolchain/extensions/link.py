"""Links the extension modules of a package into as few shared libraries as is safe.

Each library is a module instance of its own in every sandbox, which costs time at the start. So modules are linked together,
unless two of them define one name differently.
"""

import hashlib
import json
import pathlib
import re
import subprocess

import objects

SHARED = ["libpython3.14.so", "libc.so"]


class Module:
    """An extension module: its name, the object files that it consists of, and what it defines."""

    def __init__(self, name, inputs):
        self.name = name
        self.inputs = [pathlib.Path(path) for path in inputs]
        # Each name with the digest of the object file that defines it.
        self.symbols = {}
        for path in self.inputs:
            for content in objects.contents(path):
                digest = hashlib.sha256(content).digest()
                self.symbols.update(dict.fromkeys(objects.defined(content), digest))


def groups(modules):
    """Distributes modules over as many lists as there must be libraries."""
    result = []
    for module in sorted(modules, key=lambda module: -len(module.symbols)):
        for group, symbols in result:
            if all(symbols.get(name, digest) == digest for name, digest in module.symbols.items()):
                break
        else:
            group, symbols = [], {}
            result.append((group, symbols))
        group.append(module)
        symbols.update(module.symbols)
    return [group for group, _ in result]


def link(group, sysroot, linker, output):
    """Links modules into one library."""
    chosen, seen = {"objects": [], "archives": []}, set()
    for module in group:
        for path in module.inputs:
            digest = hashlib.sha256(path.read_bytes()).digest()
            if digest not in seen:
                seen.add(digest)
                chosen["archives" if path.suffix == ".a" else "objects"].append(str(path))
    response = output.with_suffix(".inputs")
    response.write_text("\n".join(chosen["objects"] + chosen["archives"]), encoding="utf-8")
    exports = [f"--export=PyInit_{module.name.rpartition('.')[2]}" for module in group]
    libraries = [sysroot / "lib" / name for name in ["runtime.o", "libstandard.a", *SHARED, "libbuiltins.a"]]
    command = [
        linker,
        "-flavor",
        "wasm",
        "--experimental-pic",
        "-shared",
        "--strip-all",
        "--gc-sections",
        "--fatal-warnings",
    ]
    subprocess.run([*command, *exports, f"@{response}", *libraries, "-o", output], check=True)
    response.unlink()


def library_of_modules(installed, sysroot, linker, tests):
    """Replaces the records that `compiler.py` wrote in a folder of an installed package by libraries.

    Returns the library of each module, both relative to the folder of packages, and the same for modules that only the
    package's own tests import. The libraries of these are in another folder.
    """
    modules = {"libraries": [], "test-libraries": []}
    for record in sorted(installed.rglob("*.so")):
        relative = record.relative_to(installed)
        name = ".".join([*relative.parts[:-1], relative.name.partition(".")[0]])
        inputs = json.loads(record.read_text(encoding="utf-8"))
        record.unlink()
        modules["test-libraries" if re.fullmatch(tests, name) else "libraries"].append(Module(name, inputs))
    result = {}
    for kind, of_kind in modules.items():
        result[kind] = {}
        for number, group in enumerate(groups(of_kind)):
            package = group[0].name.partition(".")[0]
            library = pathlib.PurePath(f"{package}.{kind}/{number}.cpython-314-wasm32-wasi.so")
            (installed / library).parent.mkdir(exist_ok=True)
            link(group, sysroot, linker, installed / library)
            result[kind].update({module.name: str(library) for module in group})
    return result
