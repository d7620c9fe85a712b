# What help() says of an interface.
import contextlib
import io

from acme.weather import forecast

text = io.StringIO()
with contextlib.redirect_stdout(text):
    for thing in (forecast.get, forecast.Station.find, forecast.Station.report):
        help(thing)
    for kind in (forecast.Report, forecast.Sky, forecast.Error, forecast.Station):
        print(kind.__name__, "-", kind.__doc__)
        print()
result = text.getvalue()
