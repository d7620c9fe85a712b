// Objects of the host's: methods, how they end, how they are handed on.
import * as forecast from "acme:weather/forecast";
const { Station } = forecast;

const told = [];
const tell = (...words) => told.push(words.join(" "));

function refused(call, ...args) {
  try {
    call(...args);
    tell("NOT REFUSED");
  } catch (error) {
    tell(`${error}`);
  }
}

const station = new Station("north");
tell(station, station.name(), station.report(3).note, Station.find("nowhere"));
let other;
{
  using south = new Station("south");
  other = south;
  tell(south.name());
}
refused(() => other.name());
other[Symbol.dispose]();

const found = Station.find("west");
tell(found instanceof Station);
const network = forecast.join(station, found);
tell(network.stations.map((member) => member.name()), found.name());
refused(() => station.name());
refused(forecast.join, found, found);
tell(found.name(), "is kept, since the call was not made");
refused(forecast.merge, { stations: [found, found] });
tell(found.name(), "is kept");
tell(forecast.merge(network));
refused(forecast.merge, network);
refused(() => forecast.join("north", found));

class Own extends Station {
  loudName() {
    return this.name().toUpperCase();
  }
}
tell(new Own("mine").loudName(), new Own("mine") instanceof Station);
refused(() => new Station());
refused(() => Station.prototype.name.call({}));
refused(() => Object.create(found).name());

// More than a program may hold at the same time, if they did not end by themselves.
for (let index = 0; index < 1500; index++) new Station(`station ${index}`);
tell("many came and went");
const kept = [];
refused(() => {
  for (let index = 0; index < 1500; index++) kept.push(new Station("kept"));
});
tell(kept.length < 1001);
result = told.join("\n");
