#!/usr/bin/env python3
"""The compiler that build systems of packages find as `cc` and `c++`: clang for WebAssembly with the headers of the sysroot.

A shared library is not linked here: its name receives the list of its objects and archives, from which `link.py` makes one
library of all modules of a package. Programs, which only checks of build systems link, are
linked against the compiler's own C library.
"""

import json
import os
import subprocess
import sys

SYSROOT = os.path.dirname(os.path.dirname(os.path.abspath(sys.argv[0])))
with open(f"{SYSROOT}/compiler.json", encoding="utf-8") as file:
    ZIG = json.load(file)["zig"]
LIBRARY = f"{os.path.dirname(ZIG)}/lib"

DEFINES = [
    "-D_GNU_SOURCE",
    "-D_WASI_EMULATED_GETPID",
    "-D_WASI_EMULATED_MMAN",
    "-D_WASI_EMULATED_PROCESS_CLOCKS",
    "-D_WASI_EMULATED_SIGNAL",
]

TARGET = [
    "--target=wasm32-wasip2",
    "-fPIC",
    "-fvisibility=hidden",
    "-msimd128",
    "-nostdinc",
    "-Wno-unused-command-line-argument",
]

# What `casts.py` reads in the log of a build.
WARNINGS = ["-Wcast-function-type-mismatch"]

HEADERS = [
    f"{SYSROOT}/include",
    f"{LIBRARY}/include",
    f"{LIBRARY}/libc/include/wasm-wasi-musl",
    f"{LIBRARY}/libc/include/generic-musl",
]

# What jumps and throws becomes instructions for exceptions, which the assembler of images lowers once a library is linked.
EXCEPTIONS = ["-mllvm", "-wasm-enable-sjlj", "-mllvm", "-wasm-use-legacy-eh=false", "-mexception-handling"]

# The settings of the C++ library, which `standard_library.py` compiles. A thread cannot be created, and says so.
CXX = [
    "-nostdinc++",
    "-fwasm-exceptions",
    "-fvisibility-global-new-delete=force-hidden",
    "-fno-threadsafe-statics",
    "-D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS",
    "-D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS",
    "-D_LIBCPP_ABI_VERSION=2",
    "-D_LIBCPP_ABI_NAMESPACE=__2",
    "-D_LIBCPP_ABI_FORCE_ITANIUM=0",
    "-D_LIBCPP_ASSERTION_SEMANTIC_DEFAULT=_LIBCPP_ASSERTION_SEMANTIC_IGNORE",
    "-D_LIBCPP_HARDENING_MODE_DEFAULT=_LIBCPP_HARDENING_MODE_NONE",
    "-D_LIBCPP_HAS_FILESYSTEM=0",
    "-D_LIBCPP_HAS_LOCALIZATION=1",
    "-D_LIBCPP_HAS_MONOTONIC_CLOCK=1",
    "-D_LIBCPP_HAS_MUSL_LIBC=1",
    "-D_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS",
    "-D_LIBCPP_HAS_RANDOM_DEVICE=0",
    "-D_LIBCPP_HAS_TERMINAL=0",
    "-D_LIBCPP_HAS_THREADS=1",
    "-D_LIBCPP_HAS_THREAD_API_EXTERNAL=0",
    "-D_LIBCPP_HAS_THREAD_API_PTHREAD=1",
    "-D_LIBCPP_HAS_THREAD_API_WIN32=0",
    "-D_LIBCPP_HAS_TIME_ZONE_DATABASE=0",
    "-D_LIBCPP_HAS_UNICODE=1",
    "-D_LIBCPP_HAS_WIDE_CHARACTERS=1",
    "-D_LIBCPP_PSTL_BACKEND_SERIAL",
]


def main():
    name = os.path.basename(sys.argv[0])
    arguments = sys.argv[1:]
    if "-Wl,--version" in arguments:
        print("LLD 22.0.0 (compatible with GNU linkers)")
        return 0
    if links(arguments):
        return record(arguments) if "-shared" in arguments else link_program(name, arguments)
    headers = list(HEADERS)
    options = TARGET + DEFINES + WARNINGS + EXCEPTIONS
    if name == "c++":
        headers[:0] = [f"{LIBRARY}/libcxx/include", f"{LIBRARY}/libcxxabi/include"]
        options += CXX
    include = [option for folder in headers for option in ("-isystem", folder)]
    driver = ["--driver-mode=g++"] if name == "c++" else []
    os.execv(ZIG, [ZIG, "clang", *driver, *options, *arguments, *include])


def links(arguments):
    asks = ("-c", "-E", "-S", "-v", "-###", "--version", "-dumpversion", "-dumpmachine")
    return not any(argument in asks or argument.startswith("-print-") for argument in arguments)


def record(arguments):
    output = arguments[arguments.index("-o") + 1]
    inputs = [
        os.path.abspath(argument) for argument in arguments if argument.endswith((".o", ".a")) and argument != output
    ]
    with open(output, "w", encoding="utf-8") as file:
        json.dump(inputs, file)
    return 0


def link_program(name, arguments):
    kept = [argument for argument in arguments if not argument.startswith("-Wl,")]
    cache = {"ZIG_GLOBAL_CACHE_DIR": f"{SYSROOT}/cache", "ZIG_LOCAL_CACHE_DIR": f"{SYSROOT}/cache"}
    return subprocess.call([ZIG, name, "-target", "wasm32-wasi", *DEFINES, *kept], env={**os.environ, **cache})


if __name__ == "__main__":
    sys.exit(main())
