"""Builds packages with Meson."""

import os
import pathlib
import subprocess
import sys


def build(source, package, arguments):
    """Returns the folder into which it was installed, and the compiler's messages."""
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
