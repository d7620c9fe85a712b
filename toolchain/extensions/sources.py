"""Builds packages whose modules are no more than lists of sources, as most of those are that setuptools builds.

`package.json` has the lists, so that nothing of the package runs.
"""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

CXX = (".cc", ".cpp", ".cxx")


def build(source, package, arguments):
    """Compiles the modules of a package. Returns the folder of the package with its modules, and the compiler's messages."""
    installed = arguments.work / "installed"
    for target, origin in package["files"].items():
        (installed / target).parent.mkdir(parents=True, exist_ok=True)
        if (source / origin).is_dir():
            shutil.copytree(source / origin, installed / target, dirs_exist_ok=True)
        else:
            shutil.copy(source / origin, installed / target)
    log = []
    for name, module in package["modules"].items():
        paths = [path for pattern in module["sources"] for path in sorted(source.glob(pattern))]
        if not paths:
            raise SystemExit(f"{name} has no sources")
        options = [f"-D{define}" for define in module.get("defines", [])]
        options += [f"-I{source / folder}" for folder in module.get("include", [])]
        objects = arguments.work / "objects" / name
        objects.mkdir(parents=True)
        compiler = _Compiler(arguments.sysroot, options, objects)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for target, said in pool.map(compiler.compile, range(len(paths)), paths):
                log.append(said)
        library = installed / (name.replace(".", "/") + ".cpython-314-wasm32-wasi.so")
        library.parent.mkdir(parents=True, exist_ok=True)
        made = sorted(objects.glob("*.o"))
        subprocess.run([arguments.sysroot / "bin/cc", "-shared", "-o", library, *made], check=True)
    return installed, "".join(log)


class _Compiler:
    def __init__(self, sysroot, options, folder):
        self._sysroot = sysroot
        self._options = [*options, f"-I{sysroot / 'include/python3.14'}", "-O2", "-DNDEBUG"]
        self._folder = folder

    def compile(self, number, path):
        """Compiles one source to an object file. Returns that and the compiler's messages."""
        target = self._folder / f"{number}-{path.stem}.o"
        if path.suffix == ".pyx":
            path = self._translate(path)
        program = self._sysroot / "bin" / ("c++" if path.suffix in CXX else "cc")
        done = subprocess.run(
            [program, *self._options, f"-I{path.parent}", "-c", path, "-o", target],
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        sys.stderr.write(done.stderr)
        if done.returncode != 0:
            raise SystemExit(f"{path} cannot be compiled")
        return target, done.stderr

    def _translate(self, path):
        cython = pathlib.Path(sys.executable).parent / "cython"
        subprocess.run([cython, "-3", path], check=True)
        return path.with_suffix(".c")
