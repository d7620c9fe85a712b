"""Modules made of interfaces that the embedder wrote in WIT: `from acme.weather import forecast`.

Nothing about any interface is in the image. When a program imports one, the host describes it (`finder.py`), and whatever
of it the program then touches is made of the description: classes (`types.py`, `resources.py`), functions
(`functions.py`), and what turns values into bytes and back (`encoding.py`, `decoding.py`).

The host trusts nothing of what is sent; all checks in here are for the author of the program, who shall be told which
value is wrong, and what it should have been.
"""
