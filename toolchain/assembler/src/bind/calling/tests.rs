//! Tests of the generated code.

use isolette_interface::read_text;

use super::*;

fn interface(wit: &str, name: &str) -> Interface {
    read_text(wit, name).unwrap()
}

#[test]
fn a_crate_is_generated() {
    let forecast = "package acme:weather@1.0.0;
        interface forecast {
            enum sky { clear, clouds }
            flags days { today, tomorrow }
            variant failure { unknown(string), other }
            record report { high-c: f64, sky: list<sky>, days: days }
            resource station { constructor(name: string); name: func() -> string; }
            get: func(place: string, days: days) -> result<list<report>, failure>;
            likely: func(reports: list<report>, among: option<list<u8>>) -> option<sky>;
            visit: func(station: borrow<station>);
            reset: func();
        }";
    let bare = format!("package isolette:bound-component; interface functions {{ {INITIALS}; }}");
    let interfaces = [interface(forecast, "acme:weather/forecast"), interface(&bare, BARE)];
    insta::assert_snapshot!(code(
        &interfaces,
        &[INITIALS.to_owned()],
        Path::new("/isolette"),
        Path::new("component.wit")
    ));
}

const INITIALS: &str = "%initials: func(%names: list<string>) -> list<char>";

#[test]
fn functions_with_resources_are_not_callable() {
    let wit = "package a:b; interface c {
        resource r { constructor(); m: func(); s: static func() -> u8; }
        record holder { held: own<r> }
        take: func(r: r); give: func() -> option<r>; keep: func(x: list<holder>); plain: func() -> u8;
    }";
    let callable = callable(&interface(wit, "a:b/c"));
    let names: Vec<_> = callable.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["plain"]);
}
