"""`ThreadPoolExecutor` with one thread at a time: `submit` runs the task and returns a finished future.

Results, exceptions, initialisers, `map`, `wait` and `as_completed` work as usual, but tasks do not overlap, except those that
are a function of the host (`overlap.py`). Each worker has its own thread identifier, name and thread-local values.
"""

import threading
from contextvars import Context

from isolette import overlap, threads, waiting
from isolette.hard_exit import HardExit


class _Task(waiting.Handle):
    """One task of a worker. Shutting the pool down waits for all tasks, so it joins them."""

    def __init__(self, pool, ident):
        self.pool = pool
        self.ident = ident

    @property
    def joined(self):
        return self.pool._shutdown


class _Worker:
    def __init__(self, pool, number):
        self.pool = pool
        self.context = Context()
        self.thread = threading.Thread(name=f"{pool._thread_name_prefix or 'ThreadPoolExecutor'}_{number}")
        self.thread._ident = threads.new_ident()
        self.thread._started.set()
        self.state = None

    def run(self, function, *arguments):
        threading._active[self.thread._ident] = self.thread
        try:
            threads.run(
                lambda: self.context.run(function, *arguments), _Task(self.pool, self.thread._ident), threads.TASK
            )
        finally:
            threading._active.pop(self.thread._ident, None)


def adapt(module):
    """Called with `concurrent.futures.thread`."""

    def submit(self, fn, /, *args, **kwargs):
        if self._broken:
            raise self.BROKEN(self._broken)
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = module._base.Future()
        if self._create_worker_context().initializer is None and overlap.submit(fn, args, kwargs, future):
            try:
                self._isolette_overlapping.append(future)
            except AttributeError:
                self._isolette_overlapping = [future]
            return future
        worker, idle = _take(self)
        try:
            item = module._WorkItem(future, self._resolve_work_item_task(fn, args, kwargs))
            worker.run(item.run, worker.state)
        finally:
            idle.append(worker)
        error = future.exception() if not future.cancelled() else None
        if isinstance(error, HardExit):
            raise error
        return future

    def _take(executor):
        """Returns an idle worker. A task that submits another task keeps its own worker."""
        try:
            idle = executor._isolette_idle
        except AttributeError:
            idle = executor._isolette_idle = []
            executor._isolette_workers = 0
        if idle:
            return idle.pop(), idle
        worker = _Worker(executor, executor._isolette_workers)
        worker.state = executor._create_worker_context()
        failed = []
        worker.run(_initialise, worker.state, failed)
        if failed:
            executor._broken = "A thread initializer failed, the thread pool is not usable anymore"
            raise executor.BROKEN(executor._broken)
        executor._isolette_workers += 1
        return worker, idle

    def _initialise(state, failed):
        try:
            state.initialize()
        except HardExit:
            raise
        except BaseException as error:
            failed.append(error)

    def shutdown(self, wait=True, *, cancel_futures=False):
        original_shutdown(self, wait, cancel_futures=cancel_futures)
        overlapping = getattr(self, "_isolette_overlapping", ())
        if cancel_futures:
            for future in overlapping:
                future.cancel()
        if wait:
            module._base.wait(overlapping)

    original_shutdown = module.ThreadPoolExecutor.shutdown
    submit.__doc__ = module._base.Executor.submit.__doc__
    shutdown.__doc__ = module._base.Executor.shutdown.__doc__
    module.ThreadPoolExecutor.submit = submit
    module.ThreadPoolExecutor.shutdown = shutdown
