// What is said of values that are not what a parameter takes.
import * as forecast from "acme:weather/forecast";

const reported = [];

function refused(call, ...args) {
  try {
    call(...args);
    reported.push("NOT REFUSED");
  } catch (error) {
    reported.push(`${error}`);
  }
}

refused(forecast.get, 5);
refused(forecast.get, "half a pair: \ud800");
refused(forecast.get);
refused(forecast.get, "Paris", 256);
refused(forecast.get, "Paris", 1.5);
refused(forecast.get, "Paris", "1");
refused(forecast.echoU8, -1);
refused(forecast.echoU8, NaN);
refused(forecast.echoU8, 5n);
refused(forecast.echoU8, Infinity);
refused(forecast.echoS64, 2n ** 63n);
refused(forecast.echoU64, -1n);
refused(forecast.echoU64, -1);
refused(forecast.echoU64, 2 ** 53);
refused(forecast.echoU64, 1.5);
refused(forecast.echoS64, NaN);
refused(forecast.echoS64, -Infinity);
refused(forecast.echoU64, "12");
refused(forecast.echoF32, 1e39);
refused(forecast.echoF64, "1.5");
refused(forecast.echoF64);
refused(forecast.echoBool, 1);
refused(forecast.echoChar, "ab");
refused(forecast.echoChar, "");
refused(forecast.echoChar, "\udfff");
refused(forecast.echoSky, "clera");
refused(forecast.echoSky, 0);
refused(forecast.echoSky, Symbol("clear"));
refused(forecast.echoDays, ["monday"]);
refused(forecast.echoDays, { sunday: true });
refused(forecast.echoDays, { monday: 1 });
refused(forecast.echoReport, "hot");
refused(forecast.echoReport, null);
refused(forecast.echoReport, { highC: 1, low: 2 });
refused(forecast.echoReport, { highC: "1", lowC: 2, sky: "clear", on: {} });
refused(forecast.echoReport, { highC: 1, lowC: 2, sky: "clear", on: {}, note: 5 });
refused(forecast.echoShape, "square");
refused(forecast.echoShape, { tag: "round" });
refused(forecast.echoShape, { val: 1 });
refused(forecast.echoShape, { tag: "circle", val: "wide" });
refused(forecast.echoShape, { tag: "circle" });
refused(forecast.echoShape, { tag: "polygon", val: [[1, 2], [3, 4.5]] });
refused(forecast.echoShape, { tag: "polygon", val: [[1, 2, 3]] });
refused(forecast.echoCities, "Paris");
refused(forecast.echoCities, ["Paris", null]);
refused(forecast.echoCities, { Paris: 1 });
refused(forecast.echoCities, undefined);
refused(forecast.echoBytes, "text");
refused(forecast.echoBytes, [1, 256]);
refused(forecast.echoBytes, 5);
refused(forecast.echoNumbers, [1, -1]);
refused(forecast.echoLetters, ["a", "bc"]);
refused(forecast.echoTruths, [true, 0]);
refused(forecast.echoOptions, { tag: "some", val: 300 });
refused(forecast.echoPair, ["a"]);
refused(forecast.echoPair, ["a", "b"]);
refused(forecast.echoPair, "ab");
refused(forecast.echoResults, [5]);
refused(forecast.echoResults, [{ tag: "ok", val: "x" }]);
refused(forecast.Station.prototype.name);
refused(() => forecast.Station("x"));
refused(forecast.echoU8, {
  valueOf() {
    return 1;
  },
});
result = reported.join("\n");
