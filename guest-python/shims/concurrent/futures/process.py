"""Shim for the process pools of the standard library, which a sandbox does not support."""

from concurrent.futures import _base

EXTRA_QUEUED_CALLS = 1


class BrokenProcessPool(_base.BrokenExecutor):
    """Never raised in a sandbox."""


class ProcessPoolExecutor(_base.Executor):
    """Fails, because a sandbox has no processes."""

    def __init__(self, *arguments, **options):
        raise OSError(
            "processes are not available in this sandbox\n"
            "hint: use ThreadPoolExecutor, which runs each task at once, or a plain loop",
        )
