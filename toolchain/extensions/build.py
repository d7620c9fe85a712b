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
    parser.add_argument("--also", type=pathlib.Path, action="append", default=[], help="another source archive")
    parser.add_argument("--sysroot", type=pathlib.Path, required=True)
    parser.add_argument("--linker", type=pathlib.Path, required=True, help="rust-lld")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="an empty folder")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="the folder of the wheel")
    parser.add_argument("--headers", type=pathlib.Path, required=True, help="an empty folder, for builds of others")
    parser.add_argument("--requires", type=pathlib.Path, action="append", default=[], help="the headers of another one")
    arguments = parser.parse_args()
    package = json.loads((HERE / f"packages/{arguments.name}/package.json").read_text(encoding="utf-8"))
    source = unpack(arguments.sdist, package["sha256"], arguments.work / "source")
    for archive, (folder, other) in zip(arguments.also, sorted(package.get("also", {}).items()), strict=True):
        shutil.copytree(unpack(archive, other["sha256"], arguments.work / "also" / folder), source / folder)
    patch(arguments.name, source)
    installed, log = (sources.build if "modules" in package else with_meson)(source, package, arguments)
    check_casts(source, log, package.get("checked-casts", []))
    metadata = (source / "PKG-INFO").read_text(encoding="utf-8")
    keep_headers(arguments.name, package, installed, arguments.headers)
    shutil.rmtree(installed / "__pycache__", ignore_errors=True)
    libraries = link.library_of_modules(installed, arguments.sysroot, arguments.linker, package.get("test-modules", ""))
    about = {**libraries, "preload": package.get("preload", [])}
    wheel = pack(arguments.name, package, installed, metadata, about, arguments.output)
    print(wheel)


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


def with_meson(source, package, arguments):
    """Builds a package with Meson. Returns the folder into which it was installed, and the compiler's messages."""
    sysroot, work = arguments.sysroot, arguments.work
    cross = work / "cross.ini"
    defines = [f"-D{define}" for define in package.get("defines", [])]
    cross.write_text(
        "[binaries]\n"
        + "".join(
            f"{key} = '{value}'\n" for key, value in {"c": "cc", "cpp": "c++", "ar": "ar", "ranlib": "ranlib"}.items()
        )
        + "[host_machine]\nsystem = 'wasi'\ncpu_family = 'wasm32'\ncpu = 'wasm32'\nendian = 'little'\n"
        + "[properties]\nneeds_exe_wrapper = true\nskip_sanity_check = true\nlongdouble_format = 'IEEE_QUAD_LE'\n"
        + f"[built-in options]\nc_args = {defines}\ncpp_args = {defines}\n",
        encoding="utf-8",
    )
    tools = pathlib.Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(sysroot / "bin"), str(tools), os.environ["PATH"]]),
        "PYTHONPATH": os.pathsep.join(map(str, arguments.requires)),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    meson = [sys.executable, source / package["meson"]] if "meson" in package else [tools / "meson"]
    options = [f"-D{name}={value}" for name, value in package.get("options", {}).items()]
    options += [
        "-Ddebug=false",
        "-Doptimization=2",
        "-Db_ndebug=true",
        "-Dprefix=/usr",
        f"-Dpython.build_config={sysroot}/build-details.json",
    ]

    def run(*command):
        lines = []
        with subprocess.Popen(
            [*meson, *command], env=environment, cwd=work, stdout=subprocess.PIPE, text=True
        ) as process:
            for line in process.stdout:
                sys.stderr.write(line)
                lines.append(line)
        if process.returncode != 0:
            raise SystemExit(f"meson {command[0]} failed")
        return "".join(lines)

    run("setup", "build", source, "--cross-file", cross, *options)
    log = run("compile", "-C", "build")
    run("install", "-C", "build", "--no-rebuild", "--quiet", "--destdir", work / "installed")
    (folder,) = (work / "installed").glob("usr/lib/python3*/site-packages")
    return folder, log


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
    tops = {path.partition("/")[0] for path in files if path.endswith(".py")}
    tops |= {module.partition(".")[0] for module in about["libraries"]}
    files[f"{information}/top_level.txt"] = "".join(f"{top}\n" for top in sorted(tops)).encode()
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
