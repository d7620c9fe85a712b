use isolette_interface::{Interface, read_text};

use super::{import_of, of_interface};
use isolette_types::Language;

fn weather() -> Interface {
    let text = "package acme:weather@1.0.0;
        /// The weather of the next days.
        interface forecast {
            enum sky { clear, clouds }
            flags days { monday, tuesday }
            /// Why there is no report.
            variant failure { /// The city is unknown.
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

/// A type alias has no effect on the declarations, as in the guests. A constructor may raise as well.
#[test]
fn aliases_change_nothing_but_names() {
    let text = "package acme:weather;
        interface forecast {
            record outage { code: u16 }
            enum sky { clear, clouds }
            type trouble = outage;
            type dark = sky;
            type answer = result<u8, trouble>;
            type nothing = result<_, dark>;
            type number = u8;
            resource station { constructor(name: string) -> result<station, trouble>; }
            get: func() -> answer;
            check: func() -> nothing;
            count: func() -> number;
        }";
    let interface = read_text(text, "acme:weather/forecast").unwrap();
    let python = of_interface(&interface, Language::Python);
    for line in [
        "class Outage(CapabilityError):",
        "    def __init__(self, name: str) -> None: ...  # raises Outage",
        "def get() -> int: ...  # raises Outage",
        "def check() -> None: ...  # raises CapabilityError, payload: Sky",
        "def count() -> int: ...",
    ] {
        assert!(python.lines().any(|one| one == line), "{line}\n{python}");
    }
    let typescript = of_interface(&interface, Language::TypeScript);
    for lines in [
        "    /** Throws CapabilityError, payload: Outage */\n    constructor(name: string);\n",
        "  /** Throws CapabilityError, payload: Outage */\n  function get(): number;\n",
        "  /** Throws CapabilityError, payload: Sky */\n  function check(): void;\n",
        "  function count(): number;\n",
    ] {
        assert!(typescript.contains(lines), "{lines}\n{typescript}");
    }
}

#[test]
fn docs_end_no_comment() {
    let text = "package acme:weather;
        /// Ends */ here.
        interface forecast {
            /// One */ line.
            ///
            /// Another */ line.
            get: func();
        }";
    let interface = read_text(text, "acme:weather/forecast").unwrap();
    let typescript = of_interface(&interface, Language::TypeScript);
    assert_eq!(typescript.matches("/**").count(), 2, "{typescript}");
    assert_eq!(typescript.matches("*/").count(), 2, "{typescript}");
    assert!(typescript.contains("  /**\n   * One *\\/ line.\n   *\n   * Another *\\/ line.\n   */\n"), "{typescript}");
}

#[test]
fn an_interface_is_declared_in_both_languages() {
    let interface = weather();
    insta::assert_snapshot!("python", of_interface(&interface, Language::Python));
    insta::assert_snapshot!("typescript", of_interface(&interface, Language::TypeScript));
    assert_eq!(import_of(&interface, Language::Python), "from acme.weather import forecast");
    assert_eq!(import_of(&interface, Language::JavaScript), "import * as forecast from \"acme:weather/forecast\"");
}
