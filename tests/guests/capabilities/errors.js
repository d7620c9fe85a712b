// What is thrown when a call brings no value.
import * as forecast from "acme:weather/forecast";

const reported = [];

function thrown(call, ...args) {
  try {
    call(...args);
    reported.push("NOT THROWN");
  } catch (error) {
    reported.push(`${error instanceof CapabilityError} ${error.constructor.name} ${error}`);
    reported.push(`  ${error.interface} ${error.function} ${error.kind} ${JSON.stringify(error.payload)}`);
    return error;
  }
}

thrown(forecast.get, "Atlantis");
thrown(forecast.get, "often");
thrown(forecast.fail);
thrown(forecast.complain, "the rain");
thrown(forecast.complain, "");
thrown(forecast.refuse);
thrown(forecast.giveUp);
thrown(forecast.breakDown);

const { payload } = thrown(forecast.get, "Nowhere");
if (payload.tag === "not-found") reported.push(`matched ${payload.val}`);
reported.push(`made by the program: ${new CapabilityError("mine", { kind: "error", payload: 5 }).payload}`);
result = reported.join("\n");
