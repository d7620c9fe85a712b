//! Custom components instead of an interpreter.
//!
//! There is one in Rust and one in Python, with the same functions; each stands for the program of its language.

use std::{path::PathBuf, sync::Arc};

use isolette::{
    CallContext, CallFailure, CallReply, Capability, CapabilityHandler, Error, Image, Language, Sandbox, SandboxBuilder,
};
use isolette_tests::{Case, scenario};
use serde_json::{Value, json};
use weather::Weather;

isolette::capability!({
    path: "../examples/component-rust/wit/deps/places",
    interface: "acme:places/distances@1.0.0",
    implementation: Atlas,
});

/// The directory of an image.
pub(crate) fn image_named(name: &str) -> PathBuf {
    Image::find(Language::Python).unwrap().directory().parent().unwrap().join(name)
}

/// The component in Rust has the place of JavaScript.
fn image(case: &Case) -> PathBuf {
    image_named(if case.language == Language::Python { "example-python" } else { "example-rust" })
}

fn builder(case: &Case) -> SandboxBuilder {
    Sandbox::builder().image(image(case)).isolation(case.isolation)
}

fn weather() -> Weather {
    Weather::new([("Paris".into(), Some(21.5)), ("Rome".into(), None)])
}

/// The positions of two cities.
struct Atlas;

impl distances::Distances for Atlas {
    fn find(&self, _: &CallContext, name: String) -> distances::Place {
        let known = [("Paris", (49.0, 2.0)), ("Rome", (42.0, 12.0))];
        let at = known.into_iter().find(|(known, _)| *known == name).map(|(_, at)| at);
        distances::Place { name, at }
    }

    /// From the south to the north.
    fn between(&self, _: &CallContext, one: distances::Place, other: distances::Place) -> Option<f64> {
        Some((one.at?.0 - other.at?.0).abs() * 111.0)
    }
}

/// Provides all that the component imports.
pub(crate) fn with_imports(builder: SandboxBuilder) -> SandboxBuilder {
    builder.capability(weather()).capability(Atlas)
}

fn providing_imports(case: &Case) -> SandboxBuilder {
    with_imports(builder(case))
}

fn call(sandbox: &Sandbox, function: &str, arguments: Value) -> Value {
    let result = sandbox.call(function, arguments).unwrap();
    result.value.unwrap_or_else(|| panic!("{:?}", result.error))
}

#[scenario]
fn functions_of_a_component_are_called(case: &Case) {
    let sandbox = providing_imports(case).build().unwrap();
    let words = json!([{"word": "b", "count": 2}, {"word": "a", "count": 1}]);
    assert_eq!(call(&sandbox, "docs:text/analysis#count-words", json!(["b a b", null])), words);
    let by_name = json!({"text": "b a b", "at-least": 2});
    assert_eq!(call(&sandbox, "docs:text/analysis@0.1.0#count-words", by_name), json!([{"word": "b", "count": 2}]));
}

#[scenario]
fn component_functions_without_an_interface_are_called(case: &Case) {
    let sandbox = providing_imports(case).build().unwrap();
    assert_eq!(call(&sandbox, "initials", json!([["Ada", "", "Émilie"]])), json!(["A", "É"]));
    assert_eq!(call(&sandbox, "initials", json!({"names": []})), json!([]));
}

#[scenario]
fn imports_of_a_component_are_served(case: &Case) {
    let sandbox = providing_imports(case).build().unwrap();
    let function = "docs:text/analysis#weather";
    assert_eq!(call(&sandbox, function, json!(["in Paris now"])), json!({"ok": ["Paris", 21.5]}));
    assert_eq!(call(&sandbox, function, json!(["Atlantis"])), json!({"error": {"unknown-place": "Atlantis"}}));
    assert_eq!(call(&sandbox, function, json!([""])), json!({"error": "empty"}));
    let long = "x".repeat(300_000);
    assert_eq!(call(&sandbox, function, json!([long])), json!({"error": {"unknown-place": long}}));
    let calls = sandbox.call(function, json!(["in Paris"])).unwrap().calls;
    let reported: Vec<_> = calls.iter().map(|call| (&*call.target, &*call.operation, call.outcome.as_str())).collect();
    assert_eq!(reported, [("acme:weather/forecast@1.0.0", "get", "ok"); 2]);
}

#[scenario]
fn component_calls_with_wrong_arguments_are_reported(case: &Case) {
    let sandbox = providing_imports(case).build().unwrap();
    let reported: Vec<String> = [
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
    insta::assert_snapshot!("components-mismatches", reported.join("\n----\n"));
    let interpreter = case.builder().build().unwrap();
    assert!(matches!(interpreter.call("a:b/c#d", json!([])), Err(Error::InvalidArgument { .. })));
}

#[scenario]
fn a_component_can_use_types_of_another_interface(case: &Case) {
    let sandbox = providing_imports(case).build().unwrap();
    let distance = |text: &str| {
        let result = sandbox.call("docs:text/analysis#distance", json!([text])).unwrap();
        assert_eq!(result.error, None);
        result.value.unwrap_or_default()
    };
    assert_eq!(distance("Paris to Rome"), json!(777.0));
    assert_eq!(distance("Paris to Atlantis"), Value::Null);
    let targets = &sandbox.call("docs:text/analysis#distance", json!(["Paris Rome"])).unwrap().calls;
    assert!(targets.iter().all(|call| call.target == "acme:places/distances@1.0.0"), "{targets:?}");
    let image = Image::open(image(case)).unwrap();
    let mut required: Vec<_> = image.manifest().capabilities.iter().map(ToString::to_string).collect();
    required.sort();
    assert_eq!(required, ["acme:places/distances@1.0.0", "acme:weather/forecast@1.0.0"], "and none of types alone");
}

#[scenario]
fn a_component_does_not_start_without_its_imports(case: &Case) {
    let error = builder(case).capability(Atlas).build().unwrap_err().to_string();
    assert!(error.contains("acme:weather/forecast@1.0.0 (served is: acme:places/distances@1.0.0)"), "{error}");
}

/// Replies with an error.
struct Raining;

impl CapabilityHandler for Raining {
    fn call(self: Arc<Self>, _: usize, _: &[u8], _: &CallContext) -> CallReply {
        CallReply::Ready(Err(CallFailure::Failed("it rains".into())))
    }
}

#[scenario]
fn a_component_accepts_a_compatible_later_version(case: &Case) {
    let forecast = |version: &str| {
        let mut interface = weather::forecast::interface();
        interface.name = format!("acme:weather/forecast@{version}").parse().unwrap();
        Capability::new(interface, Raining)
    };
    let sandbox = |version: &str| builder(case).capability(Atlas).capability(forecast(version)).build();
    for version in ["0.9.0", "2.0.0"] {
        let error = sandbox(version).unwrap_err().to_string();
        assert!(error.contains("imports what is not served: acme:weather/forecast@1.0.0"), "{error}");
    }
    let error = sandbox("1.3.0").unwrap().call("docs:text/analysis#weather", json!(["Paris"])).unwrap_err();
    let partial = error.partial().unwrap();
    assert!(partial.stderr.starts_with("acme:weather/forecast@1.0.0: get: "), "{}", partial.stderr);
    assert!(partial.stderr.contains("it rains"), "{}", partial.stderr);
}

#[scenario]
fn a_denied_import_ends_the_component(case: &Case) {
    let sandbox = providing_imports(case).allow_capability("acme:other/thing").build().unwrap();
    let error = sandbox.call("docs:text/analysis#weather", json!(["Paris"])).unwrap_err();
    let partial = error.partial().unwrap();
    assert!(partial.stderr.contains("acme:weather/forecast.get exists, but the policy does not allow it"), "{error}");
    assert_eq!(partial.calls[0].outcome.as_str(), "denied");
}
