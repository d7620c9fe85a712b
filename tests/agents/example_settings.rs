//! The example configuration in `examples/mcp`, as an agent uses it.

use std::{env, fs, path::PathBuf};

use isolette_tests::{
    Skipped,
    agents::{Client, Era, Script, stdio},
    brewery::{Brewery, Variant},
    guests, host_test,
};
use serde_json::{Value, json};
use similar_asserts::assert_eq;

fn example() -> PathBuf {
    guests::folder().join("../../examples/mcp")
}

#[host_test]
fn the_example_settings_work_as_documented() -> Result<(), Skipped> {
    let api = Brewery::start(Variant::Plain);
    let folder = tempfile::tempdir().expect("a folder");
    let settings = fs::read_to_string(example().join("isolette.toml")).expect("the settings");
    let settings = settings.replace("http://127.0.0.1:8000/v1", &api.base_url());
    fs::write(folder.path().join("isolette.toml"), settings).expect("a file");
    fs::copy(example().join("breweries.yaml"), folder.path().join("breweries.yaml")).expect("a file");
    let config = folder.path().join("isolette.toml");
    let program = fs::read_to_string(example().join("totals.py")).expect("the program");
    let steps = [
        ("search", json!({ "query": "breweries in a city", "limit": 2 })),
        ("get_schema", json!({ "name": "breweries.list_breweries" })),
        ("execute_code", json!({ "code": program })),
    ];
    let mut script = Script::new(Client::Python, Era::New, stdio(&["--config", config.to_str().expect("UTF-8")]));
    for (tool, arguments) in &steps {
        script = script.call(tool, arguments.clone());
    }
    let replies = script.play()?;
    let mut transcript = String::new();
    for ((tool, arguments), result) in steps.iter().zip(&replies.results) {
        transcript.push_str(&format!("> {tool} {}\n", shown(arguments)));
        transcript.push_str(&format!("{}\n\n", result["content"][0]["text"].as_str().expect("a text").trim_end()));
    }
    let file = example().join("transcript.txt");
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&file, &transcript).expect("the transcript can be written");
    }
    assert_eq!(fs::read_to_string(&file).expect("the transcript"), transcript);
    std::assert_eq!(api.requests().len(), 2);
    Ok(())
}

/// Arguments in the form of a shell: a program is a file.
fn shown(arguments: &Value) -> String {
    match arguments.get("code") {
        Some(_) => r#"{"code": "<totals.py>"}"#.to_owned(),
        None => arguments.to_string(),
    }
}
