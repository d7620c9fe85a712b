"""`ThreadPoolExecutor` on the one thread there is: `submit` runs the task and returns a finished future.

Results, exceptions, initialisers, `map`, `wait` and `as_completed` mean what they always mean; only nothing overlaps.
"""

from isolette.hard_exit import HardExit


def adapt(module):
    """Called with `concurrent.futures.thread`."""

    def submit(self, fn, /, *args, **kwargs):
        if self._broken:
            raise self.BROKEN(self._broken)
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = module._base.Future()
        module._WorkItem(future, self._resolve_work_item_task(fn, args, kwargs)).run(_context(self))
        error = future.exception() if not future.cancelled() else None
        if isinstance(error, HardExit):
            raise error
        return future

    def _context(executor):
        try:
            return executor._isolette_context
        except AttributeError:
            context = executor._create_worker_context()
            try:
                context.initialize()
            except BaseException:
                executor._broken = "A thread initializer failed, the thread pool is not usable anymore"
                raise executor.BROKEN(executor._broken) from None
            executor._isolette_context = context
            return context

    submit.__doc__ = module._base.Executor.submit.__doc__
    module.ThreadPoolExecutor.submit = submit
