//! Interfaces of the embedder's own: what guests make of their types, functions and resources.

mod forecast;
mod lent;
mod random;
mod served;

use isolette::{RunOptions, policy::Limits};
use isolette_tests::{Case, conformance};
use serde_json::{Value, json};

conformance! {
    functions_take_and_give_typed_values with "capabilities/values";
    what_no_type_carries_is_refused with "capabilities/mismatches";
    errors_carry_what_the_interface_says with "capabilities/errors";
    resources_are_objects_that_end with "capabilities/resources";
    interfaces_are_modules with "capabilities/modules";
    every_name_can_be_used with "capabilities/names";
    programs_only_break_themselves with "capabilities/hostile";
    help_tells_types_and_docs with "capabilities/help" in Python because "JavaScript has no help()";
    types_may_be_told_in_typescript in JavaScript because "Python's types are told in the program itself";
    what_does_not_fit_the_interface_is_reported;
    without_interfaces_nothing_is_found;
    a_session_keeps_its_resources;
}

/// Runs the scenario's program with the forecasts; gives its value.
fn value_of(case: &Case) -> Value {
    let result = case.builder().capability(forecast::capability()).build().unwrap().run(&case.program()).unwrap();
    result.value.unwrap_or_else(|| panic!("{:?}", result.error))
}

fn functions_take_and_give_typed_values(case: &Case) {
    // What is false has not come back as it should have.
    let value = value_of(case);
    let wrong: Vec<_> = value.as_object().unwrap().iter().filter(|(_, ok)| **ok != json!(true)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(value.as_object().unwrap().len() > 20);
}

fn what_no_type_carries_is_refused(case: &Case) {
    let told = value_of(case);
    insta::assert_snapshot!(format!("mismatches-{}", case.language), told.as_str().unwrap());
}

fn errors_carry_what_the_interface_says(case: &Case) {
    let told = value_of(case);
    insta::assert_snapshot!(format!("errors-{}", case.language), told.as_str().unwrap());
}

fn resources_are_objects_that_end(case: &Case) {
    let (capability, live) = forecast::counted();
    let sandbox = case.builder().capability(capability).build().unwrap();
    let result = sandbox.run(&case.program()).unwrap();
    let value = result.value.unwrap_or_else(|| panic!("{:?}", result.error));
    insta::assert_snapshot!(format!("resources-{}", case.language), value.as_str().unwrap());
    drop(sandbox);
    assert_eq!(live.count(), 0);
}

fn interfaces_are_modules(case: &Case) {
    let told = value_of(case);
    insta::assert_snapshot!(format!("modules-{}", case.language), told.as_str().unwrap());
}

fn every_name_can_be_used(case: &Case) {
    let capability = served::echo(include_str!("names.wit"), "from:await/class");
    let result = case.builder().capability(capability).build().unwrap().run(&case.program()).unwrap();
    assert_eq!(result.value, Some(json!("used")), "{:?}", result.error);
}

fn programs_only_break_themselves(case: &Case) {
    assert_eq!(value_of(case), json!("still here"));
}

fn help_tells_types_and_docs(case: &Case) {
    let told = value_of(case);
    insta::assert_snapshot!("help-python", told.as_str().unwrap());
}

fn types_may_be_told_in_typescript(case: &Case) {
    let program = "import { get, type Report } from \"acme:weather/forecast\";\n\
                   const report: Report = get(\"Paris\" as string);\n\
                   result = report.highC as number;";
    let sandbox = case.builder().capability(forecast::capability()).build().unwrap();
    let options = RunOptions::default().filename("program.ts");
    let result = sandbox.run_with(program, options).unwrap();
    assert_eq!(result.value, Some(json!(21.5)), "{:?}", result.error);
}

fn what_does_not_fit_the_interface_is_reported(case: &Case) {
    let sandbox = case.builder().capability(served::broken()).build().unwrap();
    for function in ["short", "long", "text", "letter", "choice"] {
        let program = case.pick(
            format!("from acme.broken import parts\nparts.{function}()"),
            format!("require('acme:broken/parts').{function}()"),
        );
        let error = sandbox.run(&program).unwrap().error.unwrap();
        assert_eq!(error.kind, case.pick("SystemError", "InternalError"), "{function}: {}", error.message);
        assert!(error.message.contains("not what the interface says"), "{}", error.message);
    }
}

fn without_interfaces_nothing_is_found(case: &Case) {
    let program = case.pick("import acme.weather.forecast", "require('acme:weather/forecast')");
    let error = case.sandbox().run(program).unwrap().error.unwrap();
    assert_eq!(error.kind, case.pick("ModuleNotFoundError", "CapabilityError"), "{}", error.message);
}

fn a_session_keeps_its_resources(case: &Case) {
    let (capability, live) = forecast::counted();
    let sandbox = case.builder().capability(capability).build().unwrap();
    let mut session = sandbox.session().unwrap();
    let first = case.pick(
        "from acme.weather import forecast\nstation = forecast.Station('north')\nforgotten = forecast.Station('south')",
        "var { Station } = require('acme:weather/forecast'); var station = new Station('north'), forgotten = new Station('south'); 1",
    );
    let result = session.run(first).unwrap();
    assert!(result.error.is_none(), "{:?}", result.error);
    assert_eq!(live.count(), 2);
    let second = case.pick("del forgotten\nstation.name()", "forgotten = undefined; station.name()");
    let result = session.run(second).unwrap();
    assert_eq!(result.value, Some(json!("north")), "{:?}", result.error);
    assert_eq!(live.count(), 1);
    drop(session);
    assert_eq!(live.count(), 0);
}

/// What a test may spend on calls.
fn many_calls() -> Limits {
    let mut limits = Limits::default();
    limits.capability_calls = u64::MAX;
    limits
}
