# What is said of values that are not what a parameter takes.
from acme.weather import forecast
from acme.weather.forecast import Days, Report, Shape, Sky
from isolette import Some

reported = []


def refused(call, *arguments, **keywords):
    try:
        call(*arguments, **keywords)
        reported.append("NOT REFUSED")
    except Exception as error:
        reported.append(f"{type(error).__name__}: {error}")


refused(forecast.get, 5)
refused(forecast.get, b"Paris")
refused(forecast.get, "half a pair: \ud800")
refused(forecast.get)
refused(forecast.get, "Paris", dayss=1)
refused(forecast.get, "Paris", 1, 2)
refused(forecast.get, "Paris", 256)
refused(forecast.get, "Paris", 1.5)
refused(forecast.echo_u8, -1)
refused(forecast.echo_s64, 2**63)
refused(forecast.echo_u64, "12")
refused(forecast.echo_u64, None)
refused(forecast.echo_f32, 1e39)
refused(forecast.echo_f64, "1.5")
refused(forecast.echo_bool, 1)
refused(forecast.echo_char, "ab")
refused(forecast.echo_char, "")
refused(forecast.echo_char, "\udfff")
refused(forecast.echo_sky, "clera")
refused(forecast.echo_sky, 0)
refused(forecast.echo_sky, [])
refused(forecast.echo_days, "monday")
refused(forecast.echo_days, ["sunday"])
refused(forecast.echo_days, 3)
refused(forecast.echo_report, "hot")
refused(forecast.echo_report, {"high_c": 1, "low": 2})
refused(forecast.echo_report, {"high_c": 1, "low_c": 2, "sky": "clear"})
refused(forecast.echo_report, {"high_c": "1", "low_c": 2, "sky": "clear", "on": []})
refused(forecast.echo_report, Report(1, 2, "clear", Days.MONDAY, 5))
refused(forecast.echo_shape, "square")
refused(forecast.echo_shape, Shape.Circle)
refused(forecast.echo_shape, Shape.Circle("wide"))
refused(forecast.echo_shape, Shape.Polygon([(1, 2), (3, 4.5)]))
refused(forecast.echo_shape, Shape.Polygon([(1, 2, 3)]))
refused(Shape)
refused(forecast.echo_cities, "Paris")
refused(forecast.echo_cities, ["Paris", None])
refused(forecast.echo_cities, {"Paris": 1})
refused(forecast.echo_bytes, "text")
refused(forecast.echo_bytes, [1, 256])
refused(forecast.echo_bytes, 5)
refused(forecast.echo_numbers, [1, -1])
refused(forecast.echo_letters, ["a", "bc"])
refused(forecast.echo_truths, [True, 0])
refused(forecast.echo_options, Some(300))
refused(forecast.echo_pair, ("a",))
refused(forecast.echo_pair, ("a", "b"))
refused(forecast.echo_results, [5])
refused(lambda: forecast.Station.name(5))
refused(lambda: forecast.gte)
refused(forecast.echo_u64, 10**100)
refused(forecast.echo_string, 10**5000)
result = "\n".join(reported)
