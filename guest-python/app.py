"""Second stage of the build: the application that becomes the interpreter component.

This code runs once, while the image is built; every sandbox starts from a copy of the resulting memory. The code must not
leave anything that a sandbox would have to read from a disk, because a sandbox has no disk.
"""

import gc

gc.disable()  # Garbage is collected once, at the end.

import marshal
import os
import sys
import types
import zlib

# Import all bindings while their files are still available.
import wit_world.exports
import wit_world.exports.runner
import wit_world.imports.capabilities
import wit_world.imports.console
import wit_world.imports.files
import wit_world.imports.host
import wit_world.imports.http
import wit_world.imports.system
import wit_world.imports.tickets
import wit_world.imports.tools


def start_importer():
    """Loads the store and makes it the source of all further imports."""
    with open(os.path.join(os.path.dirname(__file__), "store.bin"), "rb") as file:
        store = file.read()
    length = int.from_bytes(store[:8], "little")
    modules, files, libraries, preload = marshal.loads(store[8 : 8 + length])
    blob = store[8 + length :]
    _, _, offset, size = modules["isolette.importer"]
    importer = types.ModuleType("isolette.importer")
    sys.modules[importer.__name__] = importer
    exec(marshal.loads(zlib.decompress(blob[offset : offset + size])), importer.__dict__)
    # componentize-py opens libraries by their paths below this folder.
    folder = os.path.dirname(__file__)
    importer.install(modules, files, blob, {name: f"{folder}/{path}" for name, path in libraries.items()})
    return preload


preload = start_importer()

import isolette.preload

isolette.preload.prepare(preload)

import isolette.heap
import isolette.linux_errors
import isolette.runner
import isolette.warm_up


# A request has two enumeration values. A tuple lookup takes a tenth of the time of a call of the enumeration class.
for enumeration in (wit_world.exports.runner.Mode, wit_world.exports.runner.BodyRule):
    setattr(wit_world.exports.runner, enumeration.__name__, tuple(enumeration).__getitem__)


class Runner(wit_world.exports.Runner):
    run = staticmethod(isolette.runner.run)


# Frozen objects are not treated as objects of the program.
gc.collect()
isolette.linux_errors.find_classes()
gc.freeze()
isolette.warm_up.warm_up()
isolette.linux_errors.prepare()
isolette.heap.prepare()
gc.enable()
