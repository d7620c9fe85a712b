//! Tests of the generated code.

use std::path::Path;

use super::*;

fn served(wit: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text.wit");
    std::fs::write(&file, wit).unwrap();
    let mut provided = HostInterface::read(Some("acme:weather/forecast"), &file).unwrap();
    provided.wit = "weather.wit".into();
    code(&provided, &provided.interface.name, Path::new("/isolette"))
}

#[test]
fn a_crate_is_generated() {
    insta::assert_snapshot!(served(
        "package acme:weather@1.0.0;
         interface places { record place { name: string, at: option<tuple<f64, f64>> } }
         interface forecast {
             use places.{place as spot};
             enum sky { clear, clouds }
             flags days { today, tomorrow }
             variant failure { unknown(spot), other }
             record report { high-c: f64, sky: list<sky>, days: days }
             resource station { constructor(name: string); name: func() -> string; near: static func(spot: spot) -> option<station>; }
             get: func(spot: spot, days: days) -> result<list<report>, failure>;
             visit: func(station: borrow<station>, last: station);
         }"
    ));
}

#[test]
fn the_host_is_called_with_the_imported_version() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text.wit");
    std::fs::write(&file, "package acme:weather@1.2.0; interface forecast { get: func(); }").unwrap();
    let provided = HostInterface::read(None, &file).unwrap();
    let code = code(&provided, &"acme:weather/forecast@1.0.0".parse().unwrap(), Path::new("/isolette"));
    assert!(code.contains("const INTERFACE: &str = \"acme:weather/forecast@1.0.0\";"), "{code}");
    assert!(code.contains("export acme:weather/forecast@1.2.0;"), "{code}");
}

#[test]
fn a_constructor_may_fail() {
    let code = served(
        "package acme:weather; interface forecast {
             enum failure { unknown }
             resource one { constructor() -> result<one, failure>; }
             resource two { constructor(name: string) -> result<two>; }
             resource three { constructor(); }
         }",
    );
    let failure = "exports::acme::weather::forecast::Failure";
    assert!(code.contains(&format!("fn new() -> Result<Self, {failure}> {{")), "{code}");
    assert!(code.contains("fn new(p0: String) -> Result<Self, ()> {"), "{code}");
    assert!(code.contains("fn new() -> Self {"), "{code}");
}

#[test]
fn resources_may_have_the_name_of_any_item_in_the_crate() {
    for name in ["host", "component", "payload", "stored", "decoder", "handle", "some"] {
        let wit = format!("package acme:weather; interface forecast {{ resource {name}; f: func(x: {name}); }}");
        let (code, name) = (served(&wit), pascal(name));
        assert!(code.contains(&format!("    pub struct {name}(pub(super) super::Handle);\n")), "{code}");
        assert_eq!(code.matches(&format!("struct {name}(pub(super)")).count(), 1, "{code}");
        assert!(code.contains(&format!("type {name} = resources::{name};")), "{code}");
        assert!(!code.contains(&format!("impl Drop for {name} ")), "{code}");
    }
}
