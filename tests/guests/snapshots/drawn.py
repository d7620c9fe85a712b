# What no two copies may share.
import os
import random
import secrets
import uuid

[str(uuid.uuid4()), os.urandom(8).hex(), secrets.token_hex(8), random.random(), random.getrandbits(64)]
