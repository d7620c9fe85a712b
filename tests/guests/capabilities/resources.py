# Objects of the host's: methods, how they end, how they are handed on.
import gc

from acme.weather import forecast
from acme.weather.forecast import Network, Station

reported = []


def report(*words):
    reported.append(" ".join(map(str, words)))


def refused(call, *arguments):
    try:
        call(*arguments)
        report("NOT REFUSED")
    except Exception as error:
        report(f"{type(error).__name__}: {error}")


station = Station("north")
report(station, station.name(), station.report(3).note, Station.find("nowhere"))
with Station(name="south") as other:
    report(other.name())
refused(other.name)
other.close()

found = Station.find("west")
network = forecast.join(station, found)
report([member.name() for member in network.stations], found.name(), station)
refused(station.name)
refused(forecast.join, found, found)
report(found.name(), "is kept, since the call was not made")
refused(forecast.merge, Network([found, found]))
report(found.name(), "is kept")
report(forecast.merge(network), "are", network.stations)
refused(forecast.merge, network)
refused(lambda: forecast.join("north", found))


class Own(Station):
    def loud_name(self):
        return self.name().upper()


report(Own("mine").loud_name(), isinstance(Own("mine"), Station))
refused(lambda: Station())
refused(lambda: __import__("copy").copy(found))

# More than a program may hold at the same time, if they did not end by themselves.
for index in range(1500):
    Station(f"station {index}")
cycle = Station("cycle")
loops = [[station] for station in [Station("loop")]]
loops.append(loops)
del loops
gc.collect()
report("many came and went")
kept = []
refused(lambda: kept.extend(Station("kept") for _ in range(1500)))
report(len(kept) < 1001)
result = "\n".join(reported)
