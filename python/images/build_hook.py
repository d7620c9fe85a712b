"""Puts the images into the wheel."""

import os
import platform
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Images(BuildHookInterface):
    """`ISOLETTE_IMAGES` is the folder with one directory for each image."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it packs the wheel."""
        images = os.environ.get("ISOLETTE_IMAGES")
        if images is None:
            raise RuntimeError("the images are built first: use `cargo xtask wheel`")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-linux_{platform.machine()}"
        for name in ("python", "javascript"):
            build_data["force_include"][os.path.join(images, name)] = f"isolette_images/images/{name}"
