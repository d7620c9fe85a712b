//! Tests of reading WIT, and of errors in WIT.

use isolette_abi::value::Decoder;
use isolette_interface::{Interface, Type, interfaces, read, read_text};
use serde_json::{Value, json};

const WEATHER: &str = r"
package acme:weather@1.2.0;

/// What is and will be.
interface types {
    /// Degrees Celsius.
    type celsius = f64;
    record place { name: string, at: tuple<f64, f64> }
    enum sky { clear, /// Some of it.
        clouds }
}

/// The weather of the next days. Not of the last ones.
interface forecast {
    use types.{celsius, place as spot};

    flags days { monday, tuesday }
    variant failure { not-found(string), other }

    record report {
        /// The most of the day.
        high-c: celsius,
        low-c: option<celsius>,
        spots: list<spot>,
        sky: result<list<u8>, failure>,
    }
    type reports = list<report>;

    /// Something that measures.
    resource station {
        constructor(name: string);
        name: func() -> string;
        find: static func(id: u64) -> option<station>;
        compare: func(other: borrow<station>, days: days) -> reports;
    }

    get: func(city: string) -> result<report, failure>;
    reset: func();
}
";

#[test]
fn an_interface_includes_the_types_that_it_uses() {
    let interface = read_text(WEATHER, "acme:weather/forecast").unwrap();
    insta::assert_snapshot!(serde_json::to_string_pretty(&interface).unwrap());
    assert_eq!(Interface::from_json(&interface.to_json()).unwrap(), interface);
    assert_eq!(interface.summary(), "The weather of the next days");
    let signatures: Vec<_> = interface.functions.iter().map(|function| interface.signature(function)).collect();
    insta::assert_snapshot!(signatures.join("\n"));
}

#[test]
fn types_of_two_interfaces_have_different_names() {
    let interface = read_text(
        "package a:b;
         interface other { record item { x: u8 } record pair { left: item, right: item } }
         interface main { use other.{pair}; record item { y: string } f: func(pair: pair, item: item); }",
        "a:b/main",
    )
    .unwrap();
    let names: Vec<_> = interface.types.iter().map(|definition| definition.name.as_str()).collect();
    assert_eq!(names, ["other-item", "pair", "item"]);
}

#[test]
fn directories_are_read_with_their_dependencies() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("deps/base")).unwrap();
    std::fs::write(
        folder.path().join("deps/base/types.wit"),
        "package a:base@0.1.0; interface types { type id = u64; }",
    )
    .unwrap();
    std::fs::write(
        folder.path().join("main.wit"),
        "package a:b; interface main { use a:base/types@0.1.0.{id}; f: func(id: id); }",
    )
    .unwrap();
    let (interface, source) = read(folder.path(), "a:b/main").unwrap();
    assert_eq!(interface.signature(&interface.functions[0]), "f: func(id: id)");
    assert_eq!(source.files().len(), 2);
    assert!(source.line("f").unwrap().ends_with("main.wit:1:60"), "{source:?}");
    assert!(source.line("id").unwrap().ends_with("types.wit:1:46"), "{source:?}");
    assert_eq!(source.line("g"), None);
}

#[test]
fn only_interfaces_with_functions_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("main.wit"),
        "package a:b@1.0.0; interface types { type id = u64; } interface one { use types.{id}; f: func(id: id); }
         interface two { resource r { constructor(); } }",
    )
    .unwrap();
    let names: Vec<_> = interfaces(folder.path()).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(names, ["a:b/one@1.0.0", "a:b/two@1.0.0"]);
}

#[test]
fn wide_tuples_are_found_in_all_types() {
    let found = |wit: &str| {
        let interface = read_text(&format!("package a:b; interface c {{ {wit} }}"), "a:b/c").unwrap();
        interface.first_tuple_wider_than(2).map(str::to_owned)
    };
    let wide = "tuple<u8, u8, u8>";
    assert_eq!(found("type two = tuple<u8, u8>; f: func(x: two) -> tuple<two, two>;"), None);
    assert_eq!(found(&format!("record r {{ x: list<{wide}> }}")), Some("r".into()));
    assert_eq!(found(&format!("variant v {{ a, b(option<{wide}>) }}")), Some("v".into()));
    assert_eq!(found(&format!("type t = result<u8, {wide}>; f: func(t: t);")), Some("t".into()));
    assert_eq!(found(&format!("f: func(); g: func() -> tuple<u8, {wide}>;")), Some("g".into()));
    assert_eq!(found(&format!("resource r {{ m: func(x: {wide}); }}")), Some("[method]r.m".into()));
}

#[test]
fn errors_contain_the_line() {
    let errors: Vec<String> = [
        ("package a:b;\ninterface c {\n  f: func(x: nothing);\n}", "a:b/c"),
        ("package a:b;\ninterface c {\n  f: func(x: u8;\n}", "a:b/c"),
        ("package a:b;\ninterface c {\n  f: func(x: stream<u8>);\n}", "a:b/c"),
        ("package a:b;\ninterface c {\n  record r {\n    x: future<u8>,\n  }\n}", "a:b/c"),
        ("package a:b;\ninterface c {\n  f: async func();\n}", "a:b/c"),
        ("package a:b;\ninterface o { resource r; }\ninterface c {\n  use o.{r};\n  f: func(x: r);\n}", "a:b/c"),
        ("package a:b;\ninterface c {}\ninterface d {}", "a:b/e"),
        ("package a:b;\ninterface c {}", "c"),
        ("package a:b@1.0.0;\ninterface c {}", "a:b/c@2.0.0"),
        ("package a:b;\ninterface c {\n  record r {}\n}", "a:b/c"),
        ("package a:b;\ninterface c {\n  flags f {}\n}", "a:b/c"),
        ("package a:b;\ninterface c {\n  f: func(x: list<tuple<>>);\n}", "a:b/c"),
        ("package a:b;\ninterface c {\n  type t = option<tuple<>>;\n}", "a:b/c"),
    ]
    .into_iter()
    .map(|(text, name)| read_text(text, name).unwrap_err().to_string())
    .collect();
    insta::assert_snapshot!(errors.join("\n----\n"));
}

#[test]
fn values_survive_json() {
    let interface = read_text(WEATHER, "acme:weather/forecast").unwrap();
    let (place, _) = interface.definition("report").unwrap();
    let kind = Type::Named(place);
    let bytes = |value: &Value| {
        let mut bytes = Vec::new();
        interface.encode_json(&kind, value, "report", &mut bytes).map(|()| bytes)
    };
    let report = json!({
        "high-c": 21.5, "low-c": null, "spots": [{"name": "x", "at": [1.0, "NaN"]}], "sky": {"error": {"not-found": "y"}},
    });
    let encoded = bytes(&report).unwrap();
    let mut decoder = Decoder::new(&encoded);
    assert_eq!(interface.decode_json(&kind, &mut decoder).unwrap(), report);
    decoder.end().unwrap();
    let errors: Vec<_> = [
        json!({"high-c": "21"}),
        json!({"high-c": 1, "low": 2}),
        json!({"high-c": 1, "spots": [{"name": "x", "at": [1]}], "sky": {"ok": []}}),
        json!({"high-c": 1, "spots": [], "sky": {"ok": [1, 256]}}),
        json!({"high-c": 1, "spots": [], "sky": {"error": "not"}}),
        json!([1]),
    ]
    .iter()
    .map(|value| bytes(value).unwrap_err().to_string())
    .collect();
    insta::assert_snapshot!(errors.join("\n"));
}
