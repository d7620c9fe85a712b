//! Components that are built with tools which a machine may not have: jco and cargo-component.
//!
//! Each is compared with the component in `examples/component-rust`, which has the same functions.

use isolette::{ExecutionResult, Sandbox};
use isolette_tests::{Case, Skipped, scenario};
use serde_json::json;

use crate::components::{image_named, with_imports};

/// The sandbox of an image, if the tool that builds it is installed.
fn sandbox(case: &Case, image: &str, tool: &str) -> Result<Sandbox, Skipped> {
    let image = image_named(image);
    if !image.join("image.json").exists() {
        return Err(Skipped(format!("{tool} is not installed")));
    }
    let builder = Sandbox::builder().image(image).isolation(case.isolation).limits(case.limits());
    Ok(with_imports(builder).build().unwrap())
}

fn assert_same(one: &Sandbox, other: &Sandbox) {
    let calls = [
        ("initials", json!([["Ada", "", "Émilie", "𝒳"]])),
        ("docs:text/analysis#count-words", json!(["b a b c", null])),
        ("docs:text/analysis#count-words", json!({"text": "b a b", "at-least": 2})),
        ("docs:text/analysis#weather", json!(["in Paris now"])),
        ("docs:text/analysis#weather", json!(["Atlantis"])),
        ("docs:text/analysis#weather", json!([""])),
        ("docs:text/analysis#weather", json!(["x".repeat(300_000)])),
        ("docs:text/analysis#distance", json!(["Paris to Rome"])),
        ("docs:text/analysis#distance", json!(["Paris"])),
    ];
    for (function, arguments) in calls {
        let [one, other] = [one, other].map(|sandbox| sandbox.call(function, arguments.clone()).unwrap());
        assert!(one.error.is_none() && one.value.is_some(), "{function}: {:?}", one.error);
        assert_eq!((&one.value, targets(&one)), (&other.value, targets(&other)), "{function}");
    }
}

fn targets(result: &ExecutionResult) -> Vec<(&str, &str)> {
    result.calls.iter().map(|call| (&*call.target, call.outcome.as_str())).collect()
}

#[scenario(only = JavaScript, because = "jco builds components in JavaScript")]
fn a_component_of_jco_behaves_like_one_in_rust(case: &Case) -> Result<(), Skipped> {
    let component = sandbox(case, "example-javascript", "jco")?;
    assert_same(&component, &sandbox(case, "example-rust", "cargo")?);
    Ok(())
}

#[scenario(only = JavaScript, because = "components in Rust have the place of JavaScript")]
fn a_component_of_cargo_component_behaves_like_one_of_cargo(case: &Case) -> Result<(), Skipped> {
    let component = sandbox(case, "example-cargo-component", "cargo-component")?;
    assert_same(&component, &sandbox(case, "example-rust", "cargo")?);
    Ok(())
}
