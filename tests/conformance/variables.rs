//! Globals that the host sets before a program starts.

use std::sync::Mutex;

use isolette::{Error, RunOptions, Tool};
use isolette_tests::{
    Case,
    brewery::{Brewery, Variant},
    scenario,
};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};

#[scenario]
fn every_kind_of_json_can_be_a_variable(case: &Case) {
    let values = [
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(-7),
        json!(1.5),
        json!(9_007_199_254_740_991_i64),
        json!(""),
        json!("text"),
        json!("grüße, 世界, 🦀, \u{0}, \u{2028}, '\"\\"),
        json!([]),
        json!([1, [2, [3]]]),
        json!({}),
        json!({"a": {"b": [null, true, "c"]}, "": 1, "ключ": "значение"}),
    ];
    let sandbox = case.sandbox();
    for value in values {
        let options = RunOptions::new().variable("given", value.clone());
        assert_eq!(sandbox.run_with("given", options).unwrap().value.unwrap_or(Value::Null), value);
    }
}

/// Numbers are those that both languages and JSON write in the same way.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-(1_i64 << 53) + 1..1 << 53).prop_map(Value::from),
        (-1e6..1e6).prop_filter("not a whole number", |number: &f64| number.fract() != 0.0).prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>().prop_filter("a name", |key| key != "__proto__"), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// From a variable, to a tool and back, to the value.
#[scenario]
fn any_json_value_survives_as_variable_and_value(case: &Case) {
    let schema = json!({"type": "object"});
    let echo = Tool::from_schema("echo", "Gives back", schema, |arguments| Ok::<_, String>(arguments["value"].clone()));
    let sandbox = case.builder().tool(echo.unwrap()).build().unwrap();
    let session = Mutex::new(sandbox.session().unwrap());
    let code = case.pick("call_tool('echo', value=given)", "call_tool('echo', { value: given })");
    let mut runner = TestRunner::new(Config { cases: 200, failure_persistence: None, ..Config::default() });
    runner
        .run(&any_json(), |value| {
            let options = RunOptions::new().variable("given", value.clone());
            let result = session.lock().unwrap().run_with(code, options).unwrap();
            prop_assert_eq!(result.value.unwrap_or(Value::Null), value);
            Ok(())
        })
        .unwrap();
}

#[scenario]
fn long_variables_arrive_complete(case: &Case) {
    let text = "0123456789".repeat(200_000);
    let sandbox = case.builder().variable("text", text).build().unwrap();
    let length = case.pick("len(text)", "text.length");
    assert_eq!(sandbox.run(length).unwrap().value, Some(json!(2_000_000)));
}

#[scenario]
fn variables_of_a_run_override_those_of_the_sandbox(case: &Case) {
    let sandbox = case.builder().variable("a", 1).variable("b", 2).variable("b", 3).build().unwrap();
    let options = RunOptions::new().variable("a", 10).variable("c", 30);
    assert_eq!(sandbox.run_with("[a, b, c]", options).unwrap().value, Some(json!([10, 3, 30])));
    assert_eq!(sandbox.run("[a, b]").unwrap().value, Some(json!([1, 3])));
}

#[scenario]
fn a_session_sees_the_variables_of_each_run(case: &Case) {
    let mut session = case.sandbox().session().unwrap();
    for number in [1, 2] {
        let result = session.run_with("number", RunOptions::new().variable("number", number)).unwrap();
        assert_eq!(result.value, Some(json!(number)));
    }
}

#[scenario]
fn a_base_url_sets_its_variables(case: &Case) {
    let (first, second) = (Brewery::start(Variant::Plain), Brewery::start(Variant::Plain));
    let sandbox =
        case.builder().base_url(&format!("{}/", first.base_url())).base_url(&second.base_url()).build().unwrap();
    let value = sandbox.run("[BASE_URL, ALLOWED_BASE_URLS]").unwrap().value;
    assert_eq!(value, Some(json!([first.base_url(), [first.base_url(), second.base_url()]])));
}

#[scenario]
fn malformed_variable_names_are_refused(case: &Case) {
    let sandbox = case.sandbox();
    for name in ["", "1st", "a b", "a-b", "a.b", "naïve", "a\0", &"a".repeat(129)] {
        let of_the_run = sandbox.run_with("1", RunOptions::new().variable(name, 1)).unwrap_err();
        let of_the_sandbox = case.builder().variable(name, 1).build().unwrap_err();
        for error in [of_the_run, of_the_sandbox] {
            assert!(
                matches!(&error, Error::InvalidArgument { message, .. } if message.contains("name of a variable")),
                "{error}"
            );
        }
    }
}
