# Imports every module of `packages`, a list of distributions. `result` has the error of each distribution that failed.

import importlib
import importlib.metadata
import re

result = {}
modules = importlib.metadata.packages_distributions()
for package in packages:
    names = [
        module
        for module, distributions in modules.items()
        if module.isidentifier() and package in [re.sub(r"[-_.]+", "-", name).lower() for name in distributions]
    ]
    if not names:
        result[package] = "it contains no module"
    for name in names:
        try:
            importlib.import_module(name)
        except BaseException as error:
            result[package] = f"import {name}: {type(error).__name__}: {error}"
