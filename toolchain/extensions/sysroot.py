"""Makes a sysroot: what extension modules of the image's CPython are compiled and linked with.

The libraries of the image lie compressed inside componentize-py, with the results of CPython's configuration. Headers of
CPython come from a distribution; headers of the C and C++ libraries and the compiler's run-time library come with the compiler.
"""

import argparse
import io
import json
import pathlib
import re
import shutil
import subprocess
import tarfile

import standard_library
import zstandard

HERE = pathlib.Path(__file__).parent

FRAME = b"\x28\xb5\x2f\xfd"

# The libraries that an extension module may import from, each with a symbol of its own.
LIBRARIES = {
    "libpython3.14.so": b"PyModuleDef_Init",
    "libc.so": b"__wasilibc_find_relpath",
}

# What CPython's configuration defines without listing it.
MORE_DEFINES = """
_GNU_SOURCE 1
_NETBSD_SOURCE 1
_POSIX_C_SOURCE 200809L
_Py_STACK_GROWS_DOWN 1
_WASI_EMULATED_GETPID 1
_WASI_EMULATED_MMAN 1
_WASI_EMULATED_PROCESS_CLOCKS 1
_WASI_EMULATED_SIGNAL 1
_XOPEN_SOURCE 700
_XOPEN_SOURCE_EXTENDED 1
""".strip().splitlines()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--componentize-py", type=pathlib.Path, required=True, help="the environment that it is installed in"
    )
    parser.add_argument("--headers", type=pathlib.Path, required=True, help="the unpacked headers of CPython")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    output = arguments.output
    for folder in ("bin", "include", "lib"):
        (output / folder).mkdir(parents=True)
    (module,) = arguments.componentize_py.glob("lib/python3*/site-packages/componentize_py/*.so")
    configuration = unpack_libraries(module.read_bytes(), output / "lib")
    make_headers(arguments.headers, configuration["_sysconfig_vars__wasi_wasm32-wasi.json"], output / "include")
    make_details(configuration["build-details.json"], output)
    make_compiler(output)


def frames(data):
    position = data.find(FRAME)
    while position >= 0:
        try:
            yield zstandard.ZstdDecompressor().decompressobj().decompress(data[position:])
        except zstandard.ZstdError:
            pass  # The same four bytes, by chance.
        position = data.find(FRAME, position + 1)


def unpack_libraries(data, folder):
    """Writes the libraries, and returns the files of CPython's configuration."""
    configuration = {}
    libraries = {}
    for content in frames(data):
        if content.startswith(b"\0asm"):
            for name, symbol in LIBRARIES.items():
                # Smaller ones may import it.
                if symbol in content and len(content) > len(libraries.get(name, b"")):
                    libraries[name] = content
                    break
        elif content[257:262] == b"ustar":
            with tarfile.open(fileobj=io.BytesIO(content)) as archive:
                for member in archive:
                    name = pathlib.PurePath(member.name).name
                    if name == "build-details.json" or name.startswith("_sysconfig_vars_"):
                        configuration[name] = json.load(archive.extractfile(member))
    missing = LIBRARIES.keys() - libraries.keys()
    if missing or len(configuration) != 2:
        raise SystemExit(f"componentize-py has no {', '.join(missing) or 'configuration of CPython'}")
    for name, content in libraries.items():
        (folder / name).write_bytes(content)
    return configuration


def make_headers(unpacked, variables, folder):
    python = folder / "python3.14"
    (headers,) = unpacked.glob("usr/include/python3.14")
    shutil.copytree(headers, python)
    (template,) = unpacked.glob("usr/include/*/python3.14/pyconfig.h")
    version = re.search(r'PY_VERSION\s+"([^"]+)"', (python / "patchlevel.h").read_text(encoding="utf-8"))[1]
    if not re.fullmatch(r"3\.14\.\d+", version):
        raise SystemExit(f"the headers are those of CPython {version}, not of a release of 3.14")
    known = set(re.findall(r"(?:#define|#undef)\s+(\w+)", template.read_text(encoding="utf-8")))
    lines = ["#ifndef Py_PYCONFIG_H", "#define Py_PYCONFIG_H"]
    lines += [
        f"#define {name} {variables[name]}"
        for name in sorted(known)
        if isinstance(variables.get(name), int) and variables[name]
    ]
    lines += [f"#ifndef {define.split()[0]}\n#define {define}\n#endif" for define in MORE_DEFINES]
    (python / "pyconfig.h").write_text("\n".join([*lines, "#endif", ""]), encoding="utf-8")
    shutil.copy(HERE / "include/fenv.h", folder / "fenv.h")


def make_details(details, output):
    """Writes what build systems read of an installation (PEP 739), without paths of the machine that made CPython."""
    details["base_prefix"] = "/usr"
    details["base_interpreter"] = "/usr/bin/python3.14"
    details["abi"]["extension_suffix"] = ".cpython-314-wasm32-wasi.so"
    details["abi"]["stable_abi_suffix"] = ".abi3.so"
    details["libpython"] = {"link_extensions": False, "static": "/usr/lib/libpython3.14.a"}
    details["c_api"] = {"headers": str(output / "include/python3.14"), "pkgconfig_path": "/nowhere"}
    (output / "build-details.json").write_text(json.dumps(details, indent=1), encoding="utf-8")


def make_compiler(output):
    import ziglang

    zig = pathlib.Path(ziglang.__file__).parent / "zig"
    (output / "compiler.json").write_text(json.dumps({"zig": str(zig)}), encoding="utf-8")
    for name in ("cc", "c++"):
        shutil.copy(HERE / "compiler.py", output / "bin" / name)
        (output / "bin" / name).chmod(0o755)
    for name in ("ar", "ranlib"):
        (output / "bin" / name).write_text(f'#!/bin/sh\nexec "{zig}" {name} "$@"\n', encoding="utf-8")
        (output / "bin" / name).chmod(0o755)
    cache = {"ZIG_GLOBAL_CACHE_DIR": f"{output}/cache", "ZIG_LOCAL_CACHE_DIR": f"{output}/cache"}
    subprocess.run(
        [zig, "build-lib", zig.parent / "lib/compiler_rt.zig", "-target", "wasm32-wasi", "-fPIC", "-O", "ReleaseFast"]
        + ["--name", "builtins", f"-femit-bin={output}/lib/libbuiltins.a"],
        env=cache,
        check=True,
    )
    standard_library.build(zig.parent / "lib", output)
    subprocess.run([output / "bin/cc", "-O2", "-c", HERE / "runtime.c", "-o", output / "lib/runtime.o"], check=True)


if __name__ == "__main__":
    main()
