"""Packs a library as the wheel `counting` (https://packaging.python.org/specifications/binary-distribution-format/)."""

import base64
import hashlib
import pathlib
import sys
import zipfile

TAG = "cp314-cp314-wasi_wasm32"
INFORMATION = "counting-1.0.dist-info"


def main(library, folder):
    files = {
        "counting/__init__.py": b"from ._counting import steps\n",
        "counting/_counting.cpython-314-wasm32-wasi.so": pathlib.Path(library).read_bytes(),
        f"{INFORMATION}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode(),
        f"{INFORMATION}/METADATA": b"Metadata-Version: 2.1\nName: counting\nVersion: 1.0\n",
    }
    record = "".join(f"{path},sha256={digest(content)},{len(content)}\n" for path, content in files.items())
    files[f"{INFORMATION}/RECORD"] = f"{record}{INFORMATION}/RECORD,,\n".encode()
    with zipfile.ZipFile(pathlib.Path(folder) / f"counting-1.0-{TAG}.whl", "w") as wheel:
        for path, content in files.items():
            # The same bytes at any time.
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content)


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main(*sys.argv[1:])
