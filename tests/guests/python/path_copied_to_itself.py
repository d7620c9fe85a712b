"""`pathlib` compares error numbers with those of Linux, too."""
# native: 3.14

import errno
import pathlib
import tempfile

path = pathlib.Path(tempfile.mkdtemp(), "file")
path.write_text("x")
try:
    path.copy(path)
except OSError as error:
    print(type(error).__name__, error.errno == errno.EINVAL)
