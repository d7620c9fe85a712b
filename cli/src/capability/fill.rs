//! The values of the placeholders in the templates, in the form of each language.

use std::path::Path;

use heck::{ToSnakeCase as _, ToUpperCamelCase as _};
use isolette::{Error, interface::InterfaceName};

/// Reserved words of Rust or Python, which cannot be names of crates or modules.
const WORDS: &str = "Self abstract alloc and as assert async await become box break class const continue core crate def \
    del do dyn elif else enum except extern false final finally fn for from gen global if impl import in is isolette lambda let \
    loop macro match mod move mut none nonlocal not or override pass priv pub raise ref return self static std struct \
    super test trait true try type typeof unsafe unsized use virtual where while with yield";

/// Words that are names in WIT only with a `%` before them, besides [`WORDS`].
const WIT_WORDS: &str = "bool borrow char constructor error-context export f32 f64 flags func future include interface list \
    map option own package record resource result s16 s32 s64 s8 stream string tuple u16 u32 u64 u8 variant world";

/// Types that the templates use.
const TYPES: &str = "BTreeMap CallContext Err Error Failure IntoIterator Language None Ok Option Report Result Sandbox \
    SandboxBuilder Some String";

/// Types that the template of the interface defines.
const DEFINED: [&str; 2] = ["Failure", "Report"];

/// The values of the placeholders in the templates.
pub(super) struct Fill(Vec<(&'static str, String)>);

impl Fill {
    /// Makes the values for a crate, and for its interface if that has a name of its own. Returns the name of the
    /// interface as well.
    pub(super) fn new(
        name: &str,
        interface: Option<&InterfaceName>,
        isolette: &Path,
    ) -> Result<(Self, InterfaceName), Error> {
        let invalid = || Error::InvalidArgument {
            message: format!("`{}` cannot be the name of a crate and of an interface", name.escape_debug()),
            hint: "use words of lower-case letters and digits, each beginning with a letter, joined with `-`".into(),
        };
        let default: InterfaceName = format!("acme:{name}/{name}@0.1.0").parse().map_err(|_| invalid())?;
        if name.contains(|letter: char| letter.is_ascii_uppercase()) {
            return Err(invalid());
        }
        let interface = interface.unwrap_or(&default).clone();
        let InterfaceName { namespace, package, interface: own, version } = &interface;
        for part in [name, namespace, package, own] {
            if is_one_of(WORDS, part) {
                return Err(Error::InvalidArgument {
                    message: format!("`{part}` cannot be the name of a crate or part of the name of an interface"),
                    hint: "it is a reserved word of Rust or Python, or a name that the generated code uses; choose another name".into(),
                });
            }
        }
        let manifest = isolette.to_str().ok_or_else(|| Error::InvalidArgument {
            message: format!("{} cannot be written into a Cargo.toml", isolette.display()),
            hint: "move the sources of Isolette to a directory whose name is UTF-8".into(),
        })?;
        let version = version.as_ref().map_or_else(String::new, |version| format!("@{version}"));
        let fill = vec![
            ("{crate}", name.to_owned()),
            ("{crate_name}", name.to_snake_case()),
            ("{type}", type_name(name, own)),
            ("{trait}", trait_name(own)),
            ("{module}", own.to_snake_case()),
            ("{interface-name}", own.clone()),
            ("{interface-in-wit}", in_wit(own)),
            ("{interface}", interface.to_string()),
            ("{unversioned}", interface.unversioned()),
            ("{package}", format!("{}:{}{version}", in_wit(namespace), in_wit(package))),
            ("{python_package}", format!("{}.{}", namespace.to_snake_case(), package.to_snake_case())),
            ("{python_module}", own.to_snake_case()),
            // JSON strings are valid TOML strings.
            ("{isolette}", format!("path = {}", serde_json::json!(manifest))),
        ];
        Ok((Self(fill), interface))
    }

    pub(super) fn fill(&self, template: &str) -> String {
        self.0.iter().fold(template.to_owned(), |text, (mark, value)| text.replace(mark, value))
    }
}

/// The type that implements the interface is named after the crate, unless that name is taken.
fn type_name(name: &str, interface: &str) -> String {
    let name = name.to_upper_camel_case();
    let taken = name == interface.to_upper_camel_case() || is_one_of(TYPES, &name);
    if taken { format!("{name}Server") } else { name }
}

/// The name that `isolette::capability!` gives to the trait.
fn trait_name(interface: &str) -> String {
    let name = interface.to_upper_camel_case();
    if DEFINED.contains(&name.as_str()) { format!("{name}Interface") } else { name }
}

fn in_wit(name: &str) -> String {
    if is_one_of(WIT_WORDS, name) { format!("%{name}") } else { name.to_owned() }
}

fn is_one_of(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|other| other == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(name: &str, interface: Option<&str>, template: &str) -> String {
        let interface = interface.map(|interface| interface.parse().unwrap());
        match Fill::new(name, interface.as_ref(), Path::new("/sources/host")) {
            Ok((fill, _)) => fill.fill(template),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn types_and_traits_have_names_of_their_own() {
        for (name, interface, expected) in [
            ("weather", None, "weather::Weather for WeatherServer"),
            ("weather", Some("acme:weather/forecast"), "forecast::Forecast for Weather"),
            ("report", None, "report::ReportInterface for ReportServer"),
            ("failure", None, "failure::FailureInterface for FailureServer"),
            ("report", Some("acme:weather/forecast"), "forecast::Forecast for ReportServer"),
            ("string", None, "string::String for StringServer"),
            ("sandbox", Some("acme:weather/forecast"), "forecast::Forecast for SandboxServer"),
            ("weather-map", None, "weather_map::WeatherMap for WeatherMapServer"),
        ] {
            assert_eq!(filled(name, interface, "{module}::{trait} for {type}"), expected);
        }
    }

    #[test]
    fn words_of_wit_are_marked_in_wit_alone() {
        let template = "{package} {interface-in-wit} {interface}";
        assert_eq!(filled("list", None, template), "acme:%list@0.1.0 %list acme:list/list@0.1.0");
        let interface = Some("stream:weather/error-context");
        assert_eq!(
            filled("weather", interface, template),
            "%stream:weather %error-context stream:weather/error-context"
        );
    }

    #[test]
    fn words_of_the_languages_are_refused() {
        for name in ["match", "lambda", "isolette", "core", "type"] {
            assert!(filled(name, None, "").contains(&format!("`{name}` cannot be the name")), "{name}");
        }
        assert!(filled("weather", Some("acme:import/forecast"), "").contains("`import` cannot be the name"));
        assert!(filled("Weather", None, "").contains("words of lower-case letters"));
    }

    #[test]
    fn any_path_is_a_string_of_toml() {
        let (fill, _) = Fill::new("weather", None, Path::new("/a \"b\"\\c/host")).unwrap();
        let text = fill.fill(include_str!("template/Cargo.toml.template"));
        let manifest: toml::Table = toml::from_str(&text).unwrap();
        assert_eq!(manifest["dependencies"]["isolette"]["path"].as_str(), Some("/a \"b\"\\c/host"));
    }
}
