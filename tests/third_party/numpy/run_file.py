"""Runs one file of numpy's own tests with pytest, and reports every test that did not pass.

The sources of numpy are mounted at /input. `FILE` is a path below them, and `SKIP` has the identifiers of tests that are not to
be run.
"""

import os
import sys
import types

import numpy
import numpy.random

# Packages find their folders of tests in the mount.
for name, module in list(sys.modules.items()):
    if name.partition(".")[0] == "numpy" and hasattr(module, "__path__"):
        module.__path__.append("/input/" + name.replace(".", "/"))

# Files import them for few of their tests, which fail then.
for name in ("ctypes", "mmap"):
    sys.modules[name] = types.ModuleType(name)

import pytest

os.chdir("/output")


class Report:
    def __init__(self):
        self.reasons = {}
        self.passed = self.skipped = 0

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.reasons.setdefault(report.nodeid, str(report.longrepr)[-600:])
        elif report.skipped:
            self.skipped += 1
        elif report.when == "call":
            self.passed += 1

    def pytest_collectreport(self, report):
        if report.failed:
            self.reasons.setdefault(report.nodeid, str(report.longrepr)[-600:])


with open("/output/pytest.ini", "w") as file:
    file.write(
        "[pytest]\nmarkers =\n    slow\n    thread_unsafe\n    iterations\n    leaks_references\n    parallel_threads\n"
    )
options = [
    "--quiet",
    "--quiet",
    "--no-header",
    "--no-summary",
    "--noconftest",
    "--capture=no",
    "--import-mode=importlib",
    "--rootdir=/input",
]
options += [
    "-p",
    "no:cacheprovider",
    "-p",
    "no:faulthandler",
    "-p",
    "no:unraisableexception",
    "-c",
    "/output/pytest.ini",
]
options += ["-m", "not slow", "--disable-warnings", "-W", "ignore::pytest.PytestUnknownMarkWarning"]
for test in SKIP:
    options += ["--deselect", test]
report = Report()
pytest.main([*options, f"/input/{FILE}"], plugins=[report])
result = {"passed": report.passed, "skipped": report.skipped, "reasons": report.reasons}
