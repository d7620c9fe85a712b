# TOML a hundred thousand arrays deep.
# expect: exception RecursionError or exception TOMLDecodeError

import tomllib

tomllib.loads("a = " + "[" * 100_000 + "]" * 100_000)
