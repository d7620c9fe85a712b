"""Scalars side by side, packed in one go. Which of them does not fit is found out when that fails."""

import struct

from isolette.capabilities.mismatch import Mismatch

# What cannot be packed shows as one of these.
MISFITS = (struct.error, TypeError, ValueError, OverflowError, Mismatch)


def run(end, scalars, count):
    """Scalars side by side, up to one of `count` values."""
    start = end - len(scalars)
    is_part = len(scalars) < count
    pack = struct.Struct("<" + "".join(scalar.format for _, scalar in scalars)).pack
    lowered = [(position, scalar.lower) for position, (_, scalar) in enumerate(scalars) if scalar.lower]

    def encode(values, append):
        if is_part:
            values = values[start:end]
        try:
            if lowered:
                parts = list(values)
                for position, lower in lowered:
                    parts[position] = lower(parts[position])
                append(pack(*parts))
            else:
                append(pack(*values))
        except Mismatch as mismatch:
            # `position` is where it happened.
            mismatch.path.append(scalars[position][0])
            raise
        except MISFITS as error:
            raise _misfit(scalars, values, error) from None

    return encode


def _misfit(scalars, values, error):
    for (label, scalar), value in zip(scalars, values):
        if scalar.lower is None:
            try:
                alone(scalar, value)
            except Mismatch as mismatch:
                mismatch.path.append(label)
                return mismatch
    return error


def alone(scalar, value):
    """The bytes of one scalar."""
    try:
        return struct.pack("<" + scalar.format, scalar.lower(value) if scalar.lower else value)
    except Mismatch:
        raise
    except MISFITS as error:
        scalar.check(value)
        raise Mismatch(TypeError, "a number", f": {error}") from None
