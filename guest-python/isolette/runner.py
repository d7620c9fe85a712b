"""The export of the component: runs one program.

`run` must never raise, because an exception would end the whole instance.
"""

import builtins
import gc
import random
import sys
import types

from wit_world.exports.runner import Dialect, Mode, Outcome, Value

from isolette import (
    arrays,
    call_mode,
    cells,
    console,
    dialects,
    folders,
    heap,
    http,
    lines,
    linux_files,
    pending,
    program,
    timers,
    tool_namespaces,
)
from isolette.capabilities import finder
from isolette.compact_json import decode
from isolette.ending import end_program
from isolette.hard_exit import HardExit
from isolette.report import report
from isolette.started import StartedCall
from isolette.value import to_json

_UNSET = object()

# The modes of programs that are the last one of their instance.
_LAST = (Mode.FRESH, Mode.WARM)

# Those in which random generators go on as they are.
_SEEDED = (Mode.SESSION, Mode.SET_UP)

# The main module of the previous run, if any, and the number and file names of the programs that ran in it.
_last_module = None
_programs = 0
_filenames = set()


def run(request):
    """Runs the program of the request and returns its outcome."""
    value = error = trailing = compiled = None
    before = _UNSET
    exit_code = 0
    is_hard_exit = False
    filename = request.filename
    try:
        try:
            names = _prepare(request)
            if _programs > 1:
                if filename in _filenames:
                    # Tracebacks show functions of an earlier program of the session with their own lines.
                    filename = f"{filename} (run {_programs})"
                cells.add(request.code, filename)
            _filenames.add(request.filename)
            lines.begin(filename)
            before = names.get("result", _UNSET)
            compiled = program.compile_program(request.code, filename)
            trailing = compiled.run(names)
        except SystemExit as leaving:
            exit_code = _exit_code(leaving.code)
        except HardExit as leaving:
            exit_code = leaving.code & 0xFF
            is_hard_exit = True
        value = _value(compiled, names, before, trailing)
    except BaseException as ended:
        exit_code = 1
        if isinstance(ended, MemoryError):
            heap.release_reserve()
        error = report(ended, filename)
    pending.warn()
    if request.mode in _LAST and not is_hard_exit:
        try:
            end_program()
        except HardExit as leaving:
            exit_code = leaving.code & 0xFF
    elif request.mode is Mode.SET_UP:
        gc.collect()
        # The end of each program that starts in this state looks at all objects that are not frozen.
        gc.freeze()
    console.flush()
    return Outcome(value, error, exit_code)


def _prepare(request):
    """Returns the globals of the program."""
    global _last_module, _programs
    module = _last_module
    if module is not None:
        console.restore_streams()
        if request.mode not in _SEEDED:
            # componentize-py seeds the generator for the first run of an instance.
            random.seed()
            arrays.seed_again()
        if request.mode is Mode.FRESH:
            module = None
    if module is None:
        module = _last_module = types.ModuleType("__main__")
        _programs = 0
        _filenames.clear()
        cells.begin(request.filename)
        linux_files.begin()
        folders.begin(request.filename)
        timers.forget()
    pending.forget()
    _programs += 1
    finder.begin(_programs == 1)
    http.body_rule = request.http_body
    call_mode.begin(request)
    sys.modules["__main__"] = module
    sys.argv = [request.filename]
    names = module.__dict__
    names["__builtins__"] = builtins  # Like in a main program; `exec` would set it to the dict.
    names["__file__"] = request.filename
    if request.dialect is not Dialect.ISOLETTE:
        dialects.add_globals(request.dialect, names)
    for variable in request.variables:
        names[variable.name] = decode(variable.json)
    return names


def forget():
    """Resets the state to that before the first run."""
    global _last_module
    _last_module = None
    sys.modules.pop("__main__", None)
    cells.forget()
    lines.begin(None)
    tool_namespaces.forget()
    finder.forget()
    # The mounts do not exist while the image is built.
    sys.path_importer_cache.clear()


def _value(compiled, names, before, trailing):
    """Returns the global `result` if the program assigned it, otherwise the value of its last expression."""
    result = names.get("result", _UNSET)
    if result is not _UNSET and (result is not before or compiled.binds_result()):
        return Value(*to_json(_finished(result)))
    if trailing is None:
        return None
    return Value(*to_json(_finished(trailing)))


def _finished(value):
    """The value of a program that ends with a call is the result of that call."""
    return value.result() if type(value) is StartedCall else value


def _exit_code(code):
    """Returns the exit code of a process that calls `sys.exit(code)`."""
    if code is None:
        return 0
    if isinstance(code, int):
        return int(code) & 0xFF
    try:
        print(code, file=sys.stderr)
    except Exception:
        pass
    return 1
