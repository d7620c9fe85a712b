// How interfaces are found.
import forecast, { get, Station } from "acme:weather/forecast";
import * as all from "acme:weather/forecast@1.2.0";

const told = [];
const tell = (...words) => told.push(words.join(" "));

async function refused(call) {
  try {
    await call();
    tell("NOT REFUSED");
  } catch (error) {
    tell(`${error.code} ${error}`);
  }
}

const required = require("acme:weather/forecast");
tell(required === forecast, required === require("acme:weather/forecast@1.2.0"), all.get === get);
tell((await import("acme:weather/forecast")).get === get, Station === required.Station);
tell(Object.keys(forecast).join(" "));
tell(get.name, Station.name, forecast.get("Paris").sky);
await refused(() => require("acme:weather/forcast"));
await refused(() => import("acme:wether/forecast"));
await refused(() => require("acme:weather/forecast@2.0.0"));
await refused(() => require("acme"));
result = told.join("\n");
