"""Puts the compiled native module into the wheel."""

import os
import platform
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class NativeModule(BuildHookInterface):
    """`ISOLETTE_NATIVE_MODULE` is the path of the compiled module. It is the same for every CPython since 3.10."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it packs the wheel."""
        module = os.environ.get("ISOLETTE_NATIVE_MODULE")
        if module is None:
            raise RuntimeError("the native module is compiled first: use `cargo xtask wheel`")
        build_data["pure_python"] = False
        build_data["tag"] = f"cp310-abi3-linux_{platform.machine()}"
        build_data["force_include"][module] = "isolette/_native.abi3.so"
