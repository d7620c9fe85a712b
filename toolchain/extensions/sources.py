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

# In a folder of its name are headers of a library that its own build would write.
HEADERS = pathlib.Path(__file__).parent / "libraries"


def build(source, package, libraries, arguments):
    """Compiles the modules of a package, which are linked with libraries: a folder and a description for each name.

    Returns the folder of the package with its modules, and the compiler's messages.
    """
    installed = arguments.work / "installed"
    for target, origin in package["files"].items():
        (installed / target).parent.mkdir(parents=True, exist_ok=True)
        if (source / origin).is_dir():
            shutil.copytree(source / origin, installed / target, dirs_exist_ok=True)
        else:
            shutil.copy(source / origin, installed / target)
    compiled = {}
    log = []

    def compile_all(name, folder, description, more):
        options = [*(f"-I{folder / path}" for path in description.get("include", [])), *more]
        objects = []
        # What is compiled once more, with other definitions, is described like the whole.
        for variant in [description, *description.get("variants", [])]:
            target = arguments.work / "objects" / name / str(len(objects))
            target.mkdir(parents=True)
            paths = _find(name, folder, variant["sources"])
            defines = [f"-D{define}" for define in variant.get("defines", [])]
            compiler = _Compiler(arguments.sysroot, [*defines, *options], target)
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                done = list(pool.map(compiler.compile, range(len(paths)), paths))
            log.extend(said for _, said in done)
            objects += [target for target, _ in done]
        return objects

    for name, module in package["modules"].items():
        used = module.get("libraries", [])
        options = []
        for library in used:
            folder, description = libraries[library]
            own = [f"-I{HEADERS / library}"]
            if library not in compiled and "sources" in description:
                compiled[library] = compile_all(library, folder, description, own)
            options += [*own, *(f"-I{folder / path}" for path in description["include"])]
            for define in description.get("defines-for-users", []):
                # Types and exceptions of C++ are not shared between packages, so some libraries need to know which it is.
                options.append(f"-D{define.format(package=arguments.name)}")
        made = compile_all(name, source, module, options)
        for library in used:
            made += compiled.get(library, [])
        output = installed / (name.replace(".", "/") + ".cpython-314-wasm32-wasi.so")
        output.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([arguments.sysroot / "bin/cc", "-shared", "-o", output, *made], check=True)
    return installed, "".join(log)


def _find(name, folder, patterns):
    paths = []
    for pattern in patterns:
        found = sorted(folder.glob(pattern))
        if not found:
            raise SystemExit(f"{name}: no source is named {pattern}")
        paths += found
    return paths


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
