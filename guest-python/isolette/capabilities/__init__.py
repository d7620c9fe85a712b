"""Modules for interfaces that the embedder defines in WIT: `from acme.weather import forecast`.

The image contains no interfaces. When a program imports one, the host describes it (`finder.py`). This package creates the
classes (`types.py`, `resources.py`), functions (`functions.py`), encoders (`encoding.py`) and decoders (`decoding.py`) on first
use.

The host validates all messages itself. The checks in this package report to the author of the program which value is wrong
and which type is expected.
"""
