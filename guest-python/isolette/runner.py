"""Runs one program: what the component exports.

A run must never raise: an exception that left this module would end the whole instance.
"""

import builtins
import linecache
import random
import sys
import types

from wit_world.exports.runner import Mode, Outcome, Value

from isolette import console, heap, http, linux_files, program, timers, tool_namespaces
from isolette.capabilities import finder
from isolette.compact_json import decode
from isolette.ending import end_program
from isolette.hard_exit import HardExit
from isolette.report import report
from isolette.value import to_json

_UNSET = object()

# The main module of the run before, if there was one, and how many programs it has seen.
_last_module = None
_programs = 0


def run(request):
    """Runs the program of the request and says how it ended."""
    value = error = trailing = None
    before = _UNSET
    exit_code = 0
    at_once = False
    filename = request.filename
    try:
        try:
            names = _prepare(request)
            if _programs > 1:
                # What an earlier program of the session defined is still shown with its own lines.
                filename = f"{filename} (run {_programs})"
            before = names.get("result", _UNSET)
            trailing = program.compile_program(request.code, filename).run(names)
        except SystemExit as leaving:
            exit_code = _exit_code(leaving.code)
        except HardExit as leaving:
            exit_code = leaving.code & 0xFF
            at_once = True
        value = _value(request, names, before, trailing)
    except BaseException as ended:
        exit_code = 1
        if isinstance(ended, MemoryError):
            heap.release_reserve()
        error = report(ended, filename)
    if request.mode is Mode.FRESH and not at_once:
        try:
            end_program()
        except HardExit as leaving:
            exit_code = leaving.code & 0xFF
    console.flush()
    return Outcome(value, error, exit_code)


def _prepare(request):
    """The globals that the program starts with."""
    global _last_module, _programs
    module = _last_module
    if module is not None:
        console.restore_streams()
        if request.mode is Mode.FRESH:
            # For the first run of an instance componentize-py has done it.
            random.seed()
            module = None
    if module is None:
        module = _last_module = types.ModuleType("__main__")
        _programs = 0
        linux_files.begin()
        timers.forget()
    _programs += 1
    finder.begin(_programs == 1)
    http.body_rule = request.http_body
    sys.modules["__main__"] = module
    sys.argv = [request.filename]
    names = module.__dict__
    names["__builtins__"] = builtins  # As in a main program; `exec` alone would put the dict there.
    names["__file__"] = request.filename
    for variable in request.variables:
        names[variable.name] = decode(variable.json)
    return names


def forget():
    """As if there had been no run before."""
    global _last_module
    _last_module = None
    sys.modules.pop("__main__", None)
    linecache.clearcache()
    tool_namespaces.forget()
    finder.forget()
    # The mounts were not there yet.
    sys.path_importer_cache.clear()


def _value(request, names, before, trailing):
    """The global `result` if the program bound it, else what its last expression gave."""
    result = names.get("result", _UNSET)
    if result is not _UNSET and (result is not before or program.binds_result(request.code)):
        return Value(*to_json(result))
    if trailing is None:
        return None
    return Value(*to_json(trailing))


def _exit_code(code):
    """What a process that ends with `sys.exit(code)` would have ended with."""
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code) & 0xFF
    try:
        print(code, file=sys.stderr)
    except Exception:
        pass
    return 1
