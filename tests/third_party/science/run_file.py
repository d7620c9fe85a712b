"""Runs one file of a package's own tests with pytest, and reports every test that did not pass.

The sources of `PACKAGE` are mounted at /input. `FILE` is a path below them, `MARKERS` says which tests are run, and `SKIP` has the
identifiers of tests that are not.
"""

import importlib
import os
import sys
import types

for name in [PACKAGE, "numpy.random", "numpy.ctypeslib", "pandas._testing"]:
    importlib.import_module(name)

# Packages find their folders of tests in the mount.
for name, module in list(sys.modules.items()):
    if name.partition(".")[0] == PACKAGE and hasattr(module, "__path__"):
        module.__path__.append("/input/" + name.replace(".", "/"))


class Missing(types.ModuleType):
    """A module that the sandbox does not have. Files import it for few of their tests, which fail then."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)

        def unusable(*arguments):
            raise NotImplementedError(f"{self.__name__}.{name}")

        return unusable


for name in ("ctypes", "mmap"):
    sys.modules[name] = Missing(name)

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


KNOWN_MARKERS = """
    arm_slow clipboard db iterations leaks_references network parallel_threads single_cpu skip_ubsan slow thread_unsafe
""".split()
with open("/output/pytest.ini", "w") as file:
    file.write("[pytest]\nxfail_strict = false\nmarkers =\n" + "".join(f"    {marker}\n" for marker in KNOWN_MARKERS))
options = ["--quiet", "--quiet", "--no-header", "--no-summary", "--capture=no", "--import-mode=importlib", "--rootdir=/input"]
options += ["-c", "/output/pytest.ini", "-m", MARKERS, "--disable-warnings"]
for plugin in ("cacheprovider", "faulthandler", "unraisableexception"):
    options += ["-p", f"no:{plugin}"]
if PACKAGE == "numpy":
    # Without checks of the time, which depend on what else the machine does.
    options += ["--hypothesis-profile", "ci"]
    options += ["--noconftest", "-W", "ignore::pytest.PytestUnknownMarkWarning"]
else:
    # The source archive has no data files.
    options += ["-W", "ignore", "--no-strict-data-files"]
for test in SKIP:
    options += ["--deselect", test]
report = Report()
try:
    pytest.main([*options, f"/input/{FILE}"], plugins=[report])
except pytest.skip.Exception:
    # Said by the configuration of the whole folder.
    report.skipped += 1
result = {"passed": report.passed, "skipped": report.skipped, "reasons": report.reasons}
