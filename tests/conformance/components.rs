//! Components of one's own in the place of an interpreter.
//!
//! There is one in Rust and one in Python, with the same functions; each stands for the program of its language.

use isolette::{Error, Language, Sandbox, SandboxBuilder};
use isolette_tests::{Case, conformance};
use serde_json::{Value, json};
use weather::Weather;

conformance! {
    functions_of_a_component_are_called;
    functions_without_an_interface_are_called;
    what_a_component_imports_is_served;
    calls_that_do_not_fit_say_why;
    a_component_does_not_start_without_what_it_imports;
    what_the_policy_denies_ends_a_component_that_imports_it;
}

/// The component in Rust has the place of JavaScript.
fn builder(case: &Case) -> SandboxBuilder {
    let name = if case.language == Language::Python { "example-python" } else { "example-rust" };
    let images = isolette::Image::find(Language::Python).unwrap().directory().parent().unwrap().to_owned();
    Sandbox::builder().image(images.join(name)).isolation(case.isolation)
}

fn weather() -> Weather {
    Weather::new([("Paris".into(), Some(21.5)), ("Rome".into(), None)])
}

fn call(sandbox: &Sandbox, function: &str, arguments: Value) -> Value {
    let result = sandbox.call(function, arguments).unwrap();
    result.value.unwrap_or_else(|| panic!("{:?}", result.error))
}

fn functions_of_a_component_are_called(case: &Case) {
    let sandbox = builder(case).capability(weather()).build().unwrap();
    let words = json!([{"word": "b", "count": 2}, {"word": "a", "count": 1}]);
    assert_eq!(call(&sandbox, "docs:text/analysis#count-words", json!(["b a b", null])), words);
    let by_name = json!({"text": "b a b", "at-least": 2});
    assert_eq!(call(&sandbox, "docs:text/analysis@0.1.0#count-words", by_name), json!([{"word": "b", "count": 2}]));
}

fn functions_without_an_interface_are_called(case: &Case) {
    let sandbox = builder(case).capability(weather()).build().unwrap();
    assert_eq!(call(&sandbox, "initials", json!([["Ada", "", "Émilie"]])), json!(["A", "É"]));
    assert_eq!(call(&sandbox, "initials", json!({"names": []})), json!([]));
}

fn what_a_component_imports_is_served(case: &Case) {
    let sandbox = builder(case).capability(weather()).build().unwrap();
    let function = "docs:text/analysis#weather";
    assert_eq!(call(&sandbox, function, json!(["in Paris now"])), json!({"ok": ["Paris", 21.5]}));
    assert_eq!(call(&sandbox, function, json!(["Atlantis"])), json!({"error": {"unknown-place": "Atlantis"}}));
    assert_eq!(call(&sandbox, function, json!([""])), json!({"error": "empty"}));
    let long = "x".repeat(300_000);
    assert_eq!(call(&sandbox, function, json!([long])), json!({"error": {"unknown-place": long}}));
    let calls = sandbox.call(function, json!(["in Paris"])).unwrap().calls;
    let told: Vec<_> = calls.iter().map(|call| (&*call.target, &*call.operation, call.verdict)).collect();
    assert_eq!(told, [("acme:weather/forecast@1.0.0", "get", "ok"); 2]);
}

fn calls_that_do_not_fit_say_why(case: &Case) {
    let sandbox = builder(case).capability(weather()).build().unwrap();
    let told: Vec<String> = [
        ("docs:text/analysis#count", json!([])),
        ("docs:text/analysis#count-words", json!(["x"])),
        ("docs:text/analysis#count-words", json!([1, null])),
        ("docs:text/analysis#count-words", json!({"text": "x", "least": 1})),
        ("docs:text/analysis#count-words", json!("x")),
    ]
    .into_iter()
    .map(|(function, arguments)| {
        let error = sandbox.call(function, arguments).unwrap().error.unwrap();
        format!("{}: {}", error.kind, error.message)
    })
    .collect();
    insta::assert_snapshot!("components-mismatches", told.join("\n----\n"));
    let interpreter = case.builder().build().unwrap();
    assert!(matches!(interpreter.call("a:b/c#d", json!([])), Err(Error::InvalidArgument { .. })));
}

fn a_component_does_not_start_without_what_it_imports(case: &Case) {
    let error = builder(case).build().unwrap_err().to_string();
    assert!(error.contains("acme:weather/forecast@1.0.0 (served is: nothing)"), "{error}");
}

fn what_the_policy_denies_ends_a_component_that_imports_it(case: &Case) {
    let sandbox = builder(case).capability(weather()).allow_capability("acme:other/thing").build().unwrap();
    let error = sandbox.call("docs:text/analysis#weather", json!(["Paris"])).unwrap_err();
    let partial = error.partial().unwrap();
    assert!(partial.stderr.contains("acme:weather/forecast.get is there, but the policy does not allow it"), "{error}");
    assert_eq!(partial.calls[0].verdict, "denied");
}
