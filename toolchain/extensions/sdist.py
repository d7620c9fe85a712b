"""Downloads the source archive of a package from the index that pip is configured for, without running anything of it.

pip itself would run the package's build to find out what it depends on.
"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import urllib.parse
import urllib.request

# pip has no public name for the index that it uses without a configuration.
from pip._internal.models.index import PyPI

KIND = "application/vnd.pypi.simple.v1+json"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--name", required=True)
    parser.add_argument("--sha256", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    page = f"{index()}/{arguments.name}/"
    with urllib.request.urlopen(urllib.request.Request(page, headers={"Accept": KIND}), timeout=180) as response:
        files = json.load(response)["files"]
    found = [file["url"] for file in files if file["hashes"].get("sha256") == arguments.sha256]
    if not found:
        raise SystemExit(f"{page} has no file of {arguments.name} with the digest {arguments.sha256}")
    with urllib.request.urlopen(urllib.parse.urljoin(page, found[0]), timeout=180) as response:
        content = response.read()
    if hashlib.sha256(content).hexdigest() != arguments.sha256:
        raise SystemExit(f"{found[0]} is not what the index says")
    arguments.output.write_bytes(content)


def index():
    asked = subprocess.run(
        [sys.executable, "-m", "pip", "config", "get", "global.index-url"], capture_output=True, text=True, check=False
    )
    configured = asked.stdout.strip() if asked.returncode == 0 else ""
    return (configured or PyPI.simple_url).rstrip("/")


if __name__ == "__main__":
    main()
