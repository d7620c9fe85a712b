# What is thrown when a call brings no value.
from acme.weather import forecast
from isolette import CapabilityDenied

reported = []


def raised(call, *arguments):
    try:
        call(*arguments)
        reported.append("NOT RAISED")
    except CapabilityError as error:
        reported.append(f"{type(error).__module__}.{type(error).__qualname__}: {error}")
        kind = error.kind if not hasattr(error, "code") else error.code
        reported.append(f"  {error.interface} {error.function} {kind} {error.payload!r} {error.message!r}")
        return error


raised(forecast.get, "Atlantis")
raised(forecast.get, "often")
outage = raised(forecast.fail)
raised(forecast.complain, "the rain")
raised(forecast.complain, "")
raised(forecast.refuse)
raised(forecast.give_up)
raised(forecast.break_down)

try:
    forecast.get("Atlantis")
except forecast.Error.NotFound as error:
    reported.append(f"caught {error.value}")
try:
    forecast.fail()
except forecast.Outage as error:
    reported.append(f"caught {error.message} {error.code} {error.args_}")
match raised(forecast.get, "Nowhere"):
    case forecast.Error.NotFound(city):
        reported.append(f"matched {city}")
reported.append(f"made by the program: {forecast.Error.NotFound('x')}, {forecast.Error.TooOften()}")
reported.append(f"equal: {forecast.Error.NotFound('x') == forecast.Error.NotFound('x')}, {outage == outage.payload}")
reported.append(f"in sets: {len({forecast.Error.TooOften(), forecast.Error.TooOften(), outage})}")
reported.append(f"denied is {', '.join(base.__name__ for base in CapabilityDenied.__mro__[1:4])}")
result = "\n".join(reported)
