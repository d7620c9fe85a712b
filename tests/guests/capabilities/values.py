# What values of each type look like, there and back.
import array
import dataclasses
import math

from acme.weather import forecast
from acme.weather.forecast import Days, Report, Shape, Sky
from isolette import Err, Ok, Some

report = forecast.get("Paris")
same = Report(high_c=21.5, low_c=report.low_c, sky=Sky.PARTLY_CLOUDY, on=Days.MONDAY | Days.WEDNESDAY, note=None)
nan = forecast.echo_f64(math.nan)


def both(function, *values):
    return all(function(value) == value and type(function(value)) is type(value) for value in values)


result = {
    "record": report == same == forecast.echo_report(report),
    "record fields": (report.high_c, report.sky, report.note) == (21.5, Sky.PARTLY_CLOUDY, None),
    "record as a dict": forecast.echo_report({"high_c": 21.5, "low_c": 0.1, "sky": "partly-cloudy", "on": ["monday", "wednesday"]}) == report,
    "record is a dataclass": dataclasses.replace(report, note="x") == Report(21.5, report.low_c, Sky.PARTLY_CLOUDY, report.on, "x"),
    "keywords": forecast.get(city="Paris", days=3) == report,
    "enum": both(forecast.echo_sky, Sky.CLEAR, Sky.PARTLY_CLOUDY) and forecast.echo_sky("clear") is Sky.CLEAR,
    "enum value": Sky.PARTLY_CLOUDY.value == "partly-cloudy",
    "flags": both(forecast.echo_days, Days.MONDAY, Days(0), Days.TUESDAY | Days.WEDNESDAY),
    "flags as names": forecast.echo_days({"tuesday", Days.MONDAY}) == Days.MONDAY | Days.TUESDAY,
    "variant": both(forecast.echo_shape, Shape.Circle(1.5), Shape.Square(), Shape.Polygon([(1, -1), (2, 3)])),
    "variant as a class": forecast.echo_shape(Shape.Square) == Shape.Square(),
    "list of an alias": both(forecast.echo_cities, [], ["", "ä", "🐍\0"]) and forecast.echo_cities(iter("ab")) == ["a", "b"],
    "alias": forecast.Cities == list[str],
    "bool": both(forecast.echo_bool, True, False),
    "u8": both(forecast.echo_u8, 0, 255),
    "s8": both(forecast.echo_s8, -128, 127),
    "u16": both(forecast.echo_u16, 0, 65535),
    "s32": both(forecast.echo_s32, -(2**31), 2**31 - 1),
    "u64": both(forecast.echo_u64, 0, 2**53 + 1, 2**64 - 1),
    "s64": both(forecast.echo_s64, -(2**63), 2**63 - 1),
    "f32": both(forecast.echo_f32, 0.5, math.inf, -math.inf) and forecast.echo_f32(0.1) != 0.1,
    "f64": both(forecast.echo_f64, 0.1, 1e308, -math.inf, 5e-324),
    "integer as a float": forecast.echo_f64(3) == 3.0,
    "zero has a sign": math.copysign(1, forecast.echo_f64(-0.0)) == math.copysign(1, forecast.echo_f32(-0.0)) == -1,
    "not a number": nan != nan,
    "char": both(forecast.echo_char, "a", "\0", "🐍", "\uffff"),
    "string": both(forecast.echo_string, "", "ä", "🐍\0\n"),
    "bytes": both(forecast.echo_bytes, b"", b"\0\xff") and forecast.echo_bytes([1, 2]) == b"\1\2" == forecast.echo_bytes(bytearray(b"\1\2")),
    "bytes of an array": forecast.echo_bytes(array.array("B", [1, 2])) == forecast.echo_bytes(array.array("H", [1, 2])) == b"\1\2",
    "numbers": both(forecast.echo_numbers, [], [0, 2**32 - 1]) and forecast.echo_numbers(range(3)) == [0, 1, 2],
    "fractions": both(forecast.echo_fractions, [0.1, -1e300]),
    "long numbers": both(forecast.echo_long_numbers, [-(2**63), 0]),
    "truths": both(forecast.echo_truths, [], [True, False]),
    "letters": both(forecast.echo_letters, ["a", "🐍"]),
    "options": both(forecast.echo_options, None, Some(None), Some(5)),
    "tuple": both(forecast.echo_pair, ("a", 1)) and forecast.echo_pair(["a", 1]) == ("a", 1),
    "results": both(forecast.echo_results, [Ok(1), Err("x")]) and both(forecast.echo_nothing, [Ok(), Err()]),
    "a million bytes": forecast.echo_bytes(bytes(range(250)) * 4000) == bytes(range(250)) * 4000,
}
