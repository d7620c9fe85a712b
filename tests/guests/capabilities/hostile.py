# A program that changes the objects of an interface breaks only itself.
import array
import builtins
import struct
import sys

from acme.weather import forecast
from isolette.capabilities import decoding, encoding, interface, resources


def quietly(action, *arguments):
    try:
        return action(*arguments)
    except Exception:
        return None


class Index:
    def __index__(self):
        cities.append("more")
        return 300

    def __float__(self):
        raise KeyError("float")


class Endless(str):
    def encode(self, *_):
        return b"\xff"

    def __len__(self):
        return 2**40


class Iterator:
    def __init__(self, error):
        self.error = error

    def __iter__(self):
        return self

    def __next__(self):
        raise self.error


class Dict(dict):
    def items(self):
        return [("high_c", 1), (Index(), 2), ([], 3)]


cities = ["a"]
for value in [Index(), Endless("x"), Iterator(RecursionError()), Iterator(OSError()), Dict(), cities, [cities], object(), type, 10**5000]:
    for name in dir(forecast):
        if name.startswith("echo_"):
            quietly(getattr(forecast, name), value)
            quietly(getattr(forecast, name), [value, value])

# Objects that were never made properly.
for kind in [forecast.Report, forecast.Station, forecast.Shape.Circle, forecast.Error.NotFound, forecast.Outage]:
    bare = quietly(kind.__new__, kind)
    for name in ("echo_report", "echo_shape", "merge", "join"):
        quietly(getattr(forecast, name), bare)
    quietly(repr, bare)
    quietly(str, bare)

# Handles that were not given.
station = forecast.Station("real")
for handle in [0, 1, 2**32 - 1, -1, 2**40, "x", None]:
    forged = object.__new__(forecast.Station)
    quietly(setattr, forged, "_handle", handle)
    quietly(setattr, forged, "_scope", resources._scope)
    quietly(forged.name)
    quietly(forecast.join, forged, station)
    quietly(forged.close)

# Bytes that are not an encoded value.
from wit_world.imports import capabilities

for data in [b"", b"\xff" * 100, bytes(100_000)]:
    for function in ["echo-report", "get", "merge", "join", "[method]station.name", "no such function", "", "\0" * 1000]:
        for name in ["acme:weather/forecast", "acme:weather/forecast@1.2.0", "nothing", "x" * 300_000]:
            quietly(capabilities.call, name, function, (data, None))
            quietly(capabilities.describe_interface, name)
            quietly(capabilities.drop_resource, name, function, 1)

# What the module is made of.
forecast._interface.types[2]["fields"] = []
forecast.Report.__init__ = None
forecast.Sky._member_map_.clear()
quietly(forecast.echo_report, {})
quietly(forecast.get, "Paris")
quietly(forecast.get, "Atlantis")
encoding.sequence = decoding.decoder = interface.Interface = None
struct.Struct = None
quietly(forecast.echo_pair, ("a", 1))
sys.modules.pop("acme.weather.forecast")
quietly(__import__, "acme.weather.forecast")
kept = builtins.isinstance, builtins.len
builtins.isinstance = builtins.len = None
quietly(forecast.echo_cities, ["a"])
builtins.isinstance, builtins.len = kept
result = "still here"
