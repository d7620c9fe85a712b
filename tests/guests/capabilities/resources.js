// Objects of the host's: methods, how they end, how they are handed on.
import * as forecast from "acme:weather/forecast";
const { Station } = forecast;

const reported = [];
const report = (...words) => reported.push(words.join(" "));

function refused(call, ...args) {
  try {
    call(...args);
    report("NOT REFUSED");
  } catch (error) {
    report(`${error}`);
  }
}

const station = new Station("north");
report(station, station.name(), station.report(3).note, Station.find("nowhere"));
let other;
{
  using south = new Station("south");
  other = south;
  report(south.name());
}
refused(() => other.name());
other[Symbol.dispose]();

const found = Station.find("west");
report(found instanceof Station);
const network = forecast.join(station, found);
report(network.stations.map((member) => member.name()), found.name());
refused(() => station.name());
refused(forecast.join, found, found);
report(found.name(), "is kept, since the call was not made");
refused(forecast.merge, { stations: [found, found] });
report(found.name(), "is kept");
report(forecast.merge(network));
refused(forecast.merge, network);
refused(() => forecast.join("north", found));

class Own extends Station {
  loudName() {
    return this.name().toUpperCase();
  }
}
report(new Own("mine").loudName(), new Own("mine") instanceof Station);
refused(() => new Station());
refused(() => Station.prototype.name.call({}));
refused(() => Object.create(found).name());

// More than a program may hold at the same time, if they did not end by themselves.
for (let index = 0; index < 1500; index++) new Station(`station ${index}`);
report("many came and went");
const kept = [];
refused(() => {
  for (let index = 0; index < 1500; index++) kept.push(new Station("kept"));
});
report(kept.length < 1001);
result = reported.join("\n");
