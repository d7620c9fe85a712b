"""SQLite without a write-ahead log (WAL): a database that has one is refused with the reason."""

import os
import posix
import urllib.parse
import warnings

from isolette.builtin import builtin

_MAGIC = b"SQLite format 3\0"
_VERSIONS = slice(18, 20)
_NEEDS_LOG = 2

# The parameters of `connect` after the first one, in their order, and the warning about them, which names the line of its caller.
_PARAMETERS = "timeout", "detect_types", "isolation_level", "check_same_thread", "factory", "cached_statements", "uri"
_POSITIONAL = (
    "Passing more than 1 positional argument to sqlite3.connect() is deprecated. Parameters 'timeout', 'detect_types', "
    "'isolation_level', 'check_same_thread', 'factory', 'cached_statements' and 'uri' will become keyword-only parameters in "
    "Python 3.15."
)


def adapt(sqlite3):
    """Called with `sqlite3`."""
    usual = sqlite3.connect

    def connect(database, *arguments, **options):
        # A factory gets the arguments as they are, and warns by itself.
        has_factory = "factory" in options or len(arguments) > _PARAMETERS.index("factory")
        if arguments and not has_factory and options.keys().isdisjoint(_PARAMETERS[: len(arguments)]):
            warnings.warn(_POSITIONAL, DeprecationWarning, stacklevel=2)
            options.update(zip(_PARAMETERS, arguments))
            arguments = ()
        path = _path(database, options.get("uri", False))
        if path is not None and _has_log(path):
            raise sqlite3.OperationalError(_refusal(os.fsdecode(path)))
        return usual(database, *arguments, **options)

    connect.__doc__ = usual.__doc__
    sqlite3.connect = sqlite3.dbapi2.connect = builtin(connect)


def _path(database, is_uri):
    """The path of the file, or None if there is none."""
    if not isinstance(database, (str, bytes, os.PathLike)):
        return None
    path = os.fspath(database)
    if is_uri and isinstance(path, str) and path.startswith("file:"):
        path = urllib.parse.unquote(path[len("file:") :].partition("?")[0].partition("#")[0])
    return None if path in ("", b"", ":memory:", b":memory:") else path


def _has_log(path):
    try:
        descriptor = posix.open(path, os.O_RDONLY)
    except (OSError, ValueError):
        return False  # SQLite reports it.
    try:
        head = posix.read(descriptor, _VERSIONS.stop)
    except OSError:
        return False
    finally:
        posix.close(descriptor)
    return head.startswith(_MAGIC) and _NEEDS_LOG in head[_VERSIONS]


def _refusal(path):
    log = f"{path}-wal"
    try:
        waits = posix.stat(log).st_size > 0
    except OSError:
        waits = False
    why = f"cannot open {path!r}: it has a write-ahead log (journal_mode=WAL), which SQLite does not support in this sandbox"
    if waits:
        return f"{why}\nhint: {log!r} has changes that are not in the database yet: where it was made, run `PRAGMA journal_mode=DELETE`"
    return (
        f"{why}\nhint: where it was made, run `PRAGMA journal_mode=DELETE`; or here, in a writable copy: "
        'with open(copy, "r+b") as file: file.seek(18); file.write(b"\\x01\\x01")'
    )
