import random
import time
import uuid
from datetime import datetime, timezone

began = time.monotonic()
time.sleep(3600)
slept = time.monotonic() - began
result = [
    datetime.now(timezone.utc).isoformat(),
    slept >= 3600,
    random.random(),
    str(uuid.uuid4()),
    list({"one", "two", "three", "four"}),
]
