"""Nothing random is the same twice in one program, and all sources work."""

import os
import random
import secrets
import tempfile
import uuid

print(
    len({random.random() for _ in range(100)}),
    len({uuid.uuid4() for _ in range(100)}),
    len({os.urandom(8) for _ in range(100)}),
)
print(
    len({secrets.token_hex() for _ in range(100)}),
    random.Random().random() != random.Random().random(),
    uuid.uuid4().version,
)
print(
    len(os.urandom(100_000)),
    0 <= random.SystemRandom().random() < 1,
    uuid.uuid1() != uuid.uuid1(),
    len(tempfile.mktemp()) > 10,
)
