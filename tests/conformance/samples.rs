//! Small programs as in introductions.

use isolette_tests::{Case, scenario};
use serde_json::json;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Factors {
    left: f64,
    right: f64,
}

#[scenario(programs = ["samples/fibonacci"])]
fn a_program_computes_a_fibonacci_number(case: &Case) {
    let result = case.sandbox().run(&case.program()).unwrap();
    assert_eq!(result.stdout, "6765\n");
}

#[scenario(programs = ["samples/statistics"])]
fn a_program_computes_mean_and_deviation(case: &Case) {
    let result = case.sandbox().run(&case.program()).unwrap();
    assert_eq!(result.value, Some(json!({"mean": 15.1667, "sample": 13.3778, "population": 12.2122})));
}

#[scenario(programs = ["samples/multiply"])]
fn a_program_calls_a_multiplying_tool(case: &Case) {
    let sandbox = case
        .builder()
        .tool_typed("multiply", "The product of two numbers", |Factors { left, right }| Ok::<_, String>(left * right))
        .build()
        .unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    assert_eq!(result.stdout, "12.3 * 4.5 = 55.35\n");
    assert!((result.value.unwrap().as_f64().unwrap() - 55.35).abs() < 1e-9);
    assert_eq!(result.usage.tool_calls, 1);
}

#[scenario(programs = ["samples/greeting"])]
fn a_program_prints_a_greeting(case: &Case) {
    let result = case.sandbox().run(&case.program()).unwrap();
    assert!(result.success());
    assert_eq!((&*result.stdout, &*result.stderr, result.exit_code), ("hi\n", "", 0));
    assert_eq!((result.value, result.error), (None, None));
    assert!(result.files.is_empty() && result.calls.is_empty());
    assert_eq!(result.truncated, isolette::Truncated::default());
}
