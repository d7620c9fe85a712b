"""Runs one module of CPython's own tests, which are mounted at /input, and reports every test that did not pass.

`MODULE` is its name, `SKIP` has the identifiers of tests that are not to be run, and `PRETENDING` names what the tests shall take for
granted, so that a module is not skipped as a whole for a few tests that need it.
"""

import importlib
import io
import os
import sys
import sysconfig
import traceback
import types
import unittest
import warnings

# What the interpreter was configured with is not for a sandbox to show, and what is there instead is no list of arguments.
sysconfig.get_config_vars()["CONFIG_ARGS"] = ""
sys.path.insert(0, "/input")

from test import support

support.use_resources = []
support.verbose = 0
for what in PRETENDING:
    setattr(support, f"has_{what}_support", True)
os.chdir("/output")


loaded = False


class Absent(int):
    """Any member of a module of tests in C, which is part of no release: a test that uses it is skipped.

    What is asked for while a module is imported may be a size, or a decorator.
    """

    def __call__(self, *arguments, **named):
        if loaded:
            raise unittest.SkipTest("the interpreter is not shipped with modules of tests in C")
        return self


class AbsentModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent()


for name in ["_testinternalcapi", "_testlimitedcapi"]:
    sys.modules[name] = AbsentModule(name)


def identify(test):
    """Some tests are defined elsewhere than in the module that runs them, and some come from documentation."""
    return test.id() if MODULE in test.id() else f"{MODULE}: {test.id()}"


class Record(unittest.TestResult):
    """Which test did not pass, and how: the last line of its error."""

    def __init__(self):
        super().__init__()
        self.count = 0
        self.outcomes = {}
        self.reasons = {}

    def startTest(self, test):
        super().startTest(test)
        self.count += 1
        # If the interpreter does not survive it, this is the last line.
        print(identify(test), flush=True)

    def _note(self, test, outcome, error):
        identifier = identify(test)
        self.outcomes[identifier] = outcome
        lines = traceback.format_exception_only(error[0], error[1])
        self.reasons[identifier] = lines[-1].strip()[-300:] if lines else ""

    def addFailure(self, test, err):
        self._note(test, "fail", err)

    def addError(self, test, err):
        self._note(test, "error", err)

    def addUnexpectedSuccess(self, test):
        self.outcomes[identify(test)] = "unexpected success"

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self._note(test, "fail" if issubclass(err[0], test.failureException) else "error", err)


def run(name, skip):
    global loaded
    record = Record()
    try:
        found = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name))
    except unittest.SkipTest as reason:
        return {"tests": 0, "skipped": str(reason), "outcomes": {}, "reasons": {}}
    loaded = True

    def keep(suite):
        kept = type(suite)()
        for test in suite:
            if isinstance(test, unittest.TestSuite):
                kept.addTest(keep(test))
            elif identify(test) not in skip:
                kept.addTest(test)
        return kept

    wanted = keep(found)
    warnings.simplefilter("default")
    output, sys.stderr = sys.stderr, io.StringIO()
    try:
        wanted.run(record)
    finally:
        sys.stderr = output
    return {
        "tests": record.count,
        "skipped": len(record.skipped),
        "outcomes": record.outcomes,
        "reasons": record.reasons,
    }


result = run(MODULE, set(SKIP))
