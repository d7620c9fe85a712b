// How interfaces are found.
import forecast, { get, Station } from "acme:weather/forecast";
import * as all from "acme:weather/forecast@1.2.0";

const reported = [];
const report = (...words) => reported.push(words.join(" "));

async function refused(call) {
  try {
    await call();
    report("NOT REFUSED");
  } catch (error) {
    report(`${error.code} ${error}`);
  }
}

const required = require("acme:weather/forecast");
report(required === forecast, required === require("acme:weather/forecast@1.2.0"), all.get === get);
report((await import("acme:weather/forecast")).get === get, Station === required.Station);
report(Object.keys(forecast).join(" "));
report(get.name, Station.name, forecast.get("Paris").sky);
await refused(() => require("acme:weather/forcast"));
await refused(() => import("acme:wether/forecast"));
await refused(() => require("acme:weather/forecast@2.0.0"));
await refused(() => require("acme"));
result = reported.join("\n");
