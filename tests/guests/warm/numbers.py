# Random numbers from everywhere.
import os
import secrets
import uuid

[random.random(), os.urandom(8).hex(), secrets.token_hex(8), str(uuid.uuid4())]
