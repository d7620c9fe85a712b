"""Compiles the extension modules of a Python package for the image's CPython, and packs the package as a wheel.

The source archive, its patches and the options of its build lie in `packages/NAME`. The wheel is tagged for the CPython of the
image, so that pip takes it where it takes wheels in pure Python, and no other interpreter does.
"""

import argparse
import base64
import email
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import casts
import link
import meson
import sources

HERE = pathlib.Path(__file__).parent

TAG = "cp314-cp314-wasi_wasm32"

# Zip archives cannot represent earlier times.
TIME = (1980, 1, 1, 0, 0, 0)

# What only compilers and type checkers read.
LEFT_OUT = (".a", ".c", ".cpp", ".h", ".pxd", ".pyi", ".pyx", "py.typed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", required=True, help="the folder below packages/")
    parser.add_argument("--sdist", type=pathlib.Path, required=True, help="the source archive")
    parser.add_argument(
        "--library", nargs=2, action="append", default=[], metavar=("NAME", "ARCHIVE"), help="the source of a library"
    )
    parser.add_argument("--sysroot", type=pathlib.Path, required=True)
    parser.add_argument("--linker", type=pathlib.Path, required=True, help="rust-lld")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="an empty folder")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="the folder of the wheel")
    parser.add_argument("--headers", type=pathlib.Path, required=True, help="an empty folder, for builds of others")
    parser.add_argument("--requires", type=pathlib.Path, action="append", default=[], help="the headers of another one")
    arguments = parser.parse_args()
    package = json.loads((HERE / f"packages/{arguments.name}/package.json").read_text(encoding="utf-8"))
    source = unpack(arguments.sdist, package["sha256"], arguments.work / "source")
    patch(arguments.name, source)
    if "modules" in package:
        installed, log = sources.build(source, package, libraries(arguments), arguments)
    else:
        installed, log = meson.build(source, package, arguments)
    check_casts(source, log, package.get("checked-casts", []))
    metadata = (source / "PKG-INFO").read_text(encoding="utf-8")
    keep_headers(arguments.name, package, installed, arguments.headers)
    shutil.rmtree(installed / "__pycache__", ignore_errors=True)
    linked = link.library_of_modules(installed, arguments.sysroot, arguments.linker, package.get("test-modules", ""))
    about = {**linked, "preload": package.get("preload", [])}
    wheel = pack(arguments.name, package, installed, metadata, about, arguments.output)
    print(wheel)


def libraries(arguments):
    """Unpacks the libraries that modules are linked with. Returns the folder of each with its description."""
    result = {}
    for name, archive in arguments.library:
        description = json.loads((HERE / f"libraries/{name}.json").read_text(encoding="utf-8"))
        folder = unpack(pathlib.Path(archive), description["sha256"], arguments.work / "libraries" / name)
        result[name] = folder, description
    return result


def unpack(sdist, expected, folder):
    found = hashlib.sha256(sdist.read_bytes()).hexdigest()
    if found != expected:
        raise SystemExit(f"{sdist} has the digest {found}, not {expected}")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    return source


def patch(name, source):
    for file in sorted((HERE / f"packages/{name}").glob("*.patch")):
        subprocess.run(["patch", "--quiet", "--strip", "1", "--fuzz", "0", "--input", file], cwd=source, check=True)


def keep_headers(name, package, installed, output):
    """Copies what builds of other packages read of this one, to a folder that they import it from."""
    for pattern in package.get("headers", []):
        for path in installed.glob(pattern):
            target = output / path.relative_to(installed)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(path, target) if path.is_dir() else shutil.copy(path, target)
    stand_in = HERE / f"packages/{name}/headers"
    if stand_in.is_dir():
        shutil.copytree(stand_in, output, dirs_exist_ok=True)


def check_casts(source, log, allowed):
    found = [*casts.in_log(log, allowed), *casts.in_tables(source)]
    if found:
        raise SystemExit("these calls would trap in WebAssembly; patch the sources:\n" + "\n".join(found))


def pack(name, package, installed, metadata, about, output):
    """Writes the wheel (https://packaging.python.org/specifications/binary-distribution-format/)."""
    version = email.message_from_string(metadata)["Version"]
    information = f"{name}-{version}.dist-info"
    files = {}
    for path in sorted(installed.rglob("*")):
        relative = path.relative_to(installed).as_posix()
        is_wanted = not any(
            relative == folder or relative.startswith(folder + "/") for folder in package.get("exclude-files", [])
        )
        if path.is_file() and is_wanted and "__pycache__" not in relative and not relative.endswith(LEFT_OUT):
            files[relative] = path.read_bytes()
    files[f"{information}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: isolette\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode()
    )
    files[f"{information}/METADATA"] = metadata.encode()
    files[f"{information}/isolette.json"] = json.dumps(about, indent=1, sort_keys=True).encode()
    record = "".join(f"{path},sha256={digest(content)},{len(content)}\n" for path, content in files.items())
    files[f"{information}/RECORD"] = f"{record}{information}/RECORD,,\n".encode()
    wheel = output / f"{name}-{version}-{TAG}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return wheel


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
