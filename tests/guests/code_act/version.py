import sys

assert sys.implementation.name == "cpython"
f"CPython {sys.version_info.major}.{sys.version_info.minor}"
