"""Second stage of the build: the application that becomes the interpreter component.

What happens here at import time happens once, while the image is built; its memory is what every sandbox starts from.
It must leave nothing behind that a sandbox would have to look for on a disk: there is none.
"""

import gc

gc.disable()  # Garbage is collected once, at the end.

import marshal
import os
import sys
import types
import zlib

# All of the bindings, while their files can still be found.
import wit_world.exports
import wit_world.exports.runner
import wit_world.imports.capabilities
import wit_world.imports.console
import wit_world.imports.files
import wit_world.imports.host
import wit_world.imports.http
import wit_world.imports.system
import wit_world.imports.tools


def start_importer():
    """Loads the store and lets it answer every import from here on."""
    with open(os.path.join(os.path.dirname(__file__), "store.bin"), "rb") as file:
        store = file.read()
    length = int.from_bytes(store[:8], "little")
    modules, files = marshal.loads(store[8 : 8 + length])
    blob = store[8 + length :]
    _, _, offset, size = modules["isolette.importer"]
    importer = types.ModuleType("isolette.importer")
    sys.modules[importer.__name__] = importer
    exec(marshal.loads(zlib.decompress(blob[offset : offset + size])), importer.__dict__)
    importer.install(modules, files, blob)


start_importer()

import isolette.preload

isolette.preload.prepare()

import isolette.heap
import isolette.linux_errors
import isolette.runner
import isolette.warm_up


# A request has two of an enumeration. To look a member up is a tenth of the work of asking its class for it.
for enumeration in (wit_world.exports.runner.Mode, wit_world.exports.runner.BodyRule):
    setattr(wit_world.exports.runner, enumeration.__name__, tuple(enumeration).__getitem__)


class Runner(wit_world.exports.Runner):
    run = staticmethod(isolette.runner.run)


# What is frozen is not taken for the program's own.
gc.collect()
isolette.linux_errors.find_classes()
gc.freeze()
isolette.warm_up.warm_up()
isolette.linux_errors.prepare()
isolette.heap.settle()
gc.enable()
