"""Compiles the C++ library that libraries of extension modules contain, with exceptions, from the sources that the compiler has.

That of the image's CPython aborts where it would throw. What clang expects for `setjmp` and for exceptions comes with it.
"""

import concurrent.futures
import pathlib
import subprocess

# Of libc++, all but what needs files or a source of randomness.
LIBRARY = """
algorithm any atomic barrier bind call_once charconv chrono condition_variable condition_variable_destructor
error_category exception expected functional future hash ios ios.instantiations iostream locale memory memory_resource
mutex mutex_destructor new_handler new_helpers optional ostream print random_shuffle regex ryu/d2fixed ryu/d2s ryu/f2s
shared_mutex stdexcept string strstream system_error thread typeinfo valarray variant vector verbose_abort
""".split()

# Of libc++abi, all but what the compiler is told to do without.
ABI = """
abort_message cxa_aux_runtime cxa_default_handlers cxa_demangle cxa_exception cxa_exception_storage cxa_guard cxa_handlers cxa_personality
cxa_vector cxa_virtual fallback_malloc private_typeinfo stdlib_exception stdlib_new_delete stdlib_stdexcept stdlib_typeinfo
""".split()

DEFINES = [
    "-DNDEBUG",
    "-D_LIBCPP_BUILDING_LIBRARY",
    "-DLIBCXX_BUILDING_LIBCXXABI",
    "-D_LIBCXXABI_BUILDING_LIBRARY",
    "-D_LIBCXXABI_HAS_NO_THREADS",
    "-DLIBCXXABI_NON_DEMANGLING_TERMINATE",
    "-D_LIBUNWIND_HIDE_SYMBOLS",
    "-D_LIBUNWIND_HAS_NO_THREADS",
]

# The kinds of exceptions: of C++, and of `longjmp`.
TAGS = "".join(
    f"\t.globl {tag}\n\t.hidden {tag}\n\t.tagtype {tag} i32\n{tag}:\n" for tag in ("__cpp_exception", "__c_longjmp")
)


def build(sources, sysroot):
    """Writes the archive. `sources` is the folder `lib` of the compiler."""
    folder = sysroot / "standard-library"
    folder.mkdir()
    headers = [sources / part for part in ("libcxx/src", "libcxx/libc", "libunwind/include", "libunwind/src")]
    options = ["-O2", "-w", *DEFINES, *(f"-I{path}" for path in headers)]
    tags = folder / "tags.s"
    tags.write_text(TAGS, encoding="utf-8")
    commands = [
        *(["c++", "-std=c++23", sources / f"libcxx/src/{name}.cpp"] for name in LIBRARY),
        *(["c++", "-std=c++23", sources / f"libcxxabi/src/{name}.cpp"] for name in ABI),
        ["cc", "-fwasm-exceptions", sources / "libunwind/src/Unwind-wasm.c"],
        ["cc", sources / "libc/wasi/libc-top-half/musl/src/setjmp/wasm32/rt.c"],
        ["cc", tags],
    ]

    def compile_one(command):
        program, *arguments = command
        source = pathlib.Path(arguments[-1])
        output = folder / f"{source.parent.parent.name}-{source.stem}.o"
        subprocess.run([sysroot / "bin" / program, *options, *arguments, "-c", "-o", output], check=True)
        return output

    with concurrent.futures.ThreadPoolExecutor() as workers:
        objects = list(workers.map(compile_one, commands))
    subprocess.run([sysroot / "bin/ar", "rcs", sysroot / "lib/libstandard.a", *objects], check=True)
