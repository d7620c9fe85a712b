//! Runs an untrusted program with a tool and an output directory, and reads its result as data.

use std::{collections::BTreeMap, error::Error, time::Duration};

use isolette::{RunOptions, Sandbox};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, JsonSchema)]
struct Question {
    /// A city of the table.
    city: String,
}

#[derive(Serialize, JsonSchema)]
struct Weather {
    celsius: f64,
    sky: &'static str,
}

fn main() -> Result<(), Box<dyn Error>> {
    let table = BTreeMap::from([("Paris", (21.5, "clear")), ("Oslo", (9.0, "rain")), ("Cairo", (33.0, "clear"))]);
    let weather = move |question: Question| match table.get(question.city.as_str()) {
        Some((celsius, sky)) => Ok(Weather { celsius: *celsius, sky }),
        None => Err(format!("no weather for {}", question.city)),
    };
    let sandbox = Sandbox::builder()
        .tool_typed("get_weather", "The weather in a city right now", weather)
        .temp_output()
        .build()?;

    // A program as a model writes it. The sandbox also contains a hostile program.
    let program = r#"
readings = {city: call_tool("get_weather", city=city) for city in cities}
with open("/output/weather.csv", "w") as table:
    for city, reading in readings.items():
        print(city, reading["celsius"], reading["sky"], sep=",", file=table)
result = max(readings, key=lambda city: readings[city]["celsius"])
"#;
    let options = RunOptions::new()
        .timeout(Duration::from_secs(5))
        .variable("cities", serde_json::json!(["Paris", "Oslo", "Cairo"]));
    let outcome = sandbox.run_with(program, options)?;
    if let Some(error) = &outcome.error {
        return Err(error.traceback.clone().into());
    }
    println!("warmest: {}", outcome.value.unwrap_or_default());
    for file in &outcome.files {
        println!("{} ({} bytes)", file.path, file.size);
    }
    for call in &outcome.calls {
        println!("called {} ({})", call.target, call.outcome.as_str());
    }
    Ok(())
}
