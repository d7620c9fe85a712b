use isolette_interface::{Interface, read_text};

use super::{import_of, of_interface};
use crate::Language;

fn weather() -> Interface {
    let text = "package acme:weather@1.0.0;
        /// The weather of the next days.
        interface forecast {
            enum sky { clear, clouds }
            flags days { monday, tuesday }
            /// Why there is no report.
            variant failure { /// Nobody knows the city.
                not-found(string), other }
            /// What is to come.
            record report {
                /// In degrees Celsius.
                high-c: f64, low-c: option<f64>, sky: sky, tags: list<tuple<string, u64>>, class: result<list<u8>, failure> }
            type reports = list<report>;
            /// Something that measures.
            resource station {
                constructor(name: string);
                /// Its name.
                name: func() -> string;
                find: static func(id: u64) -> option<station>;
            }
            /// The report for a city.
            /// It is made anew every hour.
            get: func(city: string, days: option<days>) -> result<report, failure>;
            check: func(other: borrow<station>) -> result<_, sky>;
            reset: func();
        }";
    read_text(text, "acme:weather/forecast").unwrap()
}

#[test]
fn an_interface_is_declared_in_both_languages() {
    let interface = weather();
    insta::assert_snapshot!("python", of_interface(&interface, Language::Python));
    insta::assert_snapshot!("typescript", of_interface(&interface, Language::TypeScript));
    assert_eq!(import_of(&interface, Language::Python), "from acme.weather import forecast");
    assert_eq!(import_of(&interface, Language::JavaScript), "import * as forecast from \"acme:weather/forecast\"");
}
