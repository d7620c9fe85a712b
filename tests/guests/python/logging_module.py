"""`logging`: levels, handlers, formats, exceptions, hierarchies."""

import io
import logging
import logging.handlers
import sys

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s:%(name)s:%(message)s")
log = logging.getLogger("app")
log.debug("hidden")
log.info("count %d of %s", 3, "x")
stream = io.StringIO()
handler = logging.StreamHandler(stream)
handler.setFormatter(logging.Formatter("[{levelname:>8}] {message}", style="{"))
child = logging.getLogger("app.db")
child.addHandler(handler)
child.propagate = False
child.setLevel("WARNING")
child.info("no")
child.warning("yes")
child.log(logging.CRITICAL, "worst")
print(stream.getvalue())


class Filter(logging.Filter):
    def filter(self, record):
        return "secret" not in record.getMessage()


log.addFilter(Filter())
log.info("a secret")
memory = logging.handlers.MemoryHandler(10)
log.addHandler(memory)
log.error("kept", extra={"user": "ann"})
print(memory.buffer[0].user, log.isEnabledFor(logging.DEBUG), logging.getLevelName(30), child.parent.name)
