"""`zoneinfo` over the packaged `tzdata`, without `importlib.resources`."""

import io

from isolette.importer import store

_FOLDER = "/packages/tzdata/zoneinfo/"


def adapt(common):
    """Called with `zoneinfo._common`."""

    def load_tzdata(key):
        try:
            return io.BytesIO(store.get_data(_FOLDER + key))
        except FileNotFoundError:
            raise common.ZoneInfoNotFoundError(f"No time zone found with key {key}") from None

    common.load_tzdata = load_tzdata
