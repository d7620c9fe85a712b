//! A tool called synchronously, awaited, and concurrently.

use std::sync::{Arc, Mutex};

use isolette::Sandbox;
use isolette_tests::{Case, scenario};
use serde_json::{Value, json};

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Place {
    city: String,
}

/// A sandbox with the tool, and the arguments of its calls.
fn sandbox(case: &Case) -> (Sandbox, Arc<Mutex<Vec<Value>>>) {
    let calls = Arc::<Mutex<Vec<_>>>::default();
    let seen = Arc::clone(&calls);
    let weather = move |place: Place| {
        seen.lock().unwrap().push(json!(place));
        Ok::<_, String>(format!("{}: rain, 12 °C", place.city))
    };
    let builder = case.builder().tool_typed("getWeatherForCity", "The weather in a city", weather);
    (builder.build().unwrap(), calls)
}

#[scenario(programs = ["weather/once"])]
fn a_weather_tool_is_called_synchronously(case: &Case) {
    let (sandbox, calls) = sandbox(case);
    let result = sandbox.run(&case.program()).unwrap();
    assert_eq!(result.stdout, "Paris: rain, 12 °C\n");
    assert_eq!(*calls.lock().unwrap(), [json!({"city": "Paris"})]);
    let call = &result.calls[0];
    assert_eq!((call.capability.as_str(), &*call.target, call.outcome.as_str()), ("tools", "getWeatherForCity", "ok"));
}

#[scenario(programs = ["weather/awaited"])]
fn a_weather_tool_call_can_be_awaited(case: &Case) {
    let (sandbox, calls) = sandbox(case);
    let result = sandbox.run(&case.program()).unwrap();
    assert_eq!(result.stdout, "Paris: rain, 12 °C\n", "{result:?}");
    assert_eq!(*calls.lock().unwrap(), [json!({"city": "Paris"})]);
}

#[scenario(programs = ["weather/together"])]
fn weather_tool_calls_can_be_concurrent(case: &Case) {
    let (sandbox, calls) = sandbox(case);
    let result = sandbox.run(&case.program()).unwrap();
    assert_eq!(
        result.value,
        Some(json!(["Paris: rain, 12 °C", "Oslo: rain, 12 °C", "Lima: rain, 12 °C"])),
        "{result:?}"
    );
    assert_eq!(calls.lock().unwrap().len(), 3);
}
