# TOML a hundred thousand arrays deep. Ends in RecursionError or TOMLDecodeError.
import tomllib

tomllib.loads("a = " + "[" * 100_000 + "]" * 100_000)
