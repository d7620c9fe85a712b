# How interfaces are found.
import importlib
import inspect
import typing

import acme
import acme.weather.forecast as renamed
from acme.weather import forecast
from acme.weather.forecast import Report, get

reported = []


def report(*words):
    reported.append(" ".join(map(str, words)))


def refused(code):
    try:
        exec(code, {})
        report("NOT REFUSED")
    except Exception as error:
        report(f"{type(error).__name__}: {error}")


report(acme.weather.forecast is forecast is renamed is importlib.import_module("acme.weather.forecast"))
report(forecast, forecast.__version__, forecast.__doc__)
report(dir(acme), dir(acme.weather), acme.weather.__doc__)
report(dir(forecast))
report(get is forecast.get, get.__module__, get.__name__, Report.__module__, inspect.signature(get))
names = {}
exec("from acme.weather.forecast import *", names)
report(sorted(name for name in names if not name.startswith("__")) == forecast.__all__)
report(typing.get_type_hints(Report, vars(forecast) | names)["sky"] is forecast.Sky)
refused("import acme.wether.forecast")
refused("from acme.weather import forcast")
refused("import acme.weather.forecast.get")
refused("from acme.weather.forecast import gte")
refused("import acme; acme.wether")
refused("import nothing_of_that_name")
result = "\n".join(reported)
