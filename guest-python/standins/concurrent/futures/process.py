"""Stands in for the standard library's process pools: there are no processes to pool."""

from concurrent.futures import _base

EXTRA_QUEUED_CALLS = 1


class BrokenProcessPool(_base.BrokenExecutor):
    """Never raised here."""


class ProcessPoolExecutor(_base.Executor):
    """Says that it cannot be had."""

    def __init__(self, *arguments, **options):
        raise OSError(
            "processes are not available in this sandbox\n"
            "hint: use ThreadPoolExecutor, which runs each task at once, or a plain loop",
        )
