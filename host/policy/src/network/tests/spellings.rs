//! Compares the policy with a simple one that receives the parts of a request before they are written as a URL.

use proptest::prelude::*;

use super::{allows, cases, rule, url};

/// The parts of a target, each already in its normal form.
#[derive(Clone, Debug)]
struct Parts {
    scheme: &'static str,
    host: &'static str,
    port: u16,
    path: Vec<&'static str>,
}

#[derive(Clone, Debug)]
struct NaiveRule {
    methods: Vec<&'static str>,
    scheme: Option<&'static str>,
    below: bool,
    host: &'static str,
    port: Option<u16>,
    path: Vec<&'static str>,
}

impl NaiveRule {
    fn allows(&self, method: &str, parts: &Parts) -> bool {
        let default = if parts.scheme == "https" { 443 } else { 80 };
        let host = match self.below {
            false => parts.host == self.host,
            true => parts.host.ends_with(&format!(".{}", self.host)),
        };
        host && (self.methods.is_empty() || self.methods.contains(&method))
            && (self.scheme.is_none() || self.scheme == Some(parts.scheme))
            && (self.port == Some(parts.port) || (self.port.is_none() && parts.port == default))
            && parts.path.starts_with(&self.path)
    }

    fn text(&self) -> String {
        let methods = if self.methods.is_empty() { String::new() } else { format!("{} ", self.methods.join(",")) };
        let scheme = self.scheme.map(|scheme| format!("{scheme}://")).unwrap_or_default();
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        let path: String = self.path.iter().map(|segment| format!("/{segment}")).collect();
        format!("{methods}{scheme}{}{}{port}{path}", if self.below { "*." } else { "" }, self.host)
    }
}

const HOSTS: [&str; 7] = [
    "example.com",
    "api.example.com",
    "a.api.example.com",
    "badexample.com",
    "example.com.evil.test",
    "localhost",
    "xn--bcher-kva.example",
];
const SEGMENTS: [&str; 4] = ["v1", "v10", "users", "x"];
const METHODS: [&str; 3] = ["GET", "HEAD", "POST"];
const PORTS: [u16; 3] = [80, 443, 8080];

fn path() -> impl Strategy<Value = Vec<&'static str>> {
    prop::collection::vec(prop::sample::select(&SEGMENTS[..]), 0..4)
}

fn naive_rule() -> impl Strategy<Value = NaiveRule> {
    (
        prop::sample::subsequence(&METHODS[..], 0..=3),
        prop::option::of(prop::sample::select(vec!["http", "https"])),
        any::<bool>(),
        prop::sample::select(&HOSTS[..]),
        prop::option::of(prop::sample::select(&PORTS[..])),
        prop_oneof![Just(Vec::new()), path()],
    )
        .prop_map(|(methods, scheme, below, host, port, path)| NaiveRule {
            methods,
            scheme,
            below,
            host,
            port,
            path,
        })
}

fn parts() -> impl Strategy<Value = Parts> {
    (
        prop::sample::select(vec!["http", "https"]),
        prop::sample::select(&HOSTS[..]),
        prop::sample::select(&PORTS[..]),
        path(),
    )
        .prop_map(|(scheme, host, port, path)| Parts { scheme, host, port, path })
}

/// Writes a request in one of many equivalent ways. Every bit of `dice` is a choice.
fn spell(parts: &Parts, mut dice: u128) -> String {
    let mut roll = || {
        dice = dice.rotate_right(1);
        dice & 1 == 1
    };
    let mut text = String::new();
    if roll() {
        text.push_str(" \t");
    }
    for letter in parts.scheme.chars() {
        text.push(if roll() { letter.to_ascii_uppercase() } else { letter });
    }
    text.push(':');
    text.push_str(if roll() { "\\/" } else { "//" });
    if roll() {
        text.push_str("user:pass%40word@");
    }
    for letter in parts.host.chars() {
        match (roll(), roll()) {
            (true, true) => text.push_str(&format!("%{:02x}", u32::from(letter))),
            (true, false) => text.push(letter.to_ascii_uppercase()),
            (false, true) if letter == '.' => text.push('。'),
            _ => text.push(letter),
        }
    }
    if roll() {
        text.push('.');
    }
    if parts.port != if parts.scheme == "https" { 443 } else { 80 } || roll() {
        text.push_str(&format!(":{}{}", if roll() { "00" } else { "" }, parts.port));
    }
    for segment in &parts.path {
        match (roll(), roll()) {
            (true, true) => text.push_str("/%2E/x/.%2e"),
            (true, false) => text.push_str("/./q\\.."),
            _ => {}
        }
        text.push(if roll() { '\\' } else { '/' });
        for letter in segment.chars() {
            match roll() {
                true => text.push_str(&format!("%{:02X}", u32::from(letter))),
                false => text.push(letter),
            }
        }
    }
    if roll() {
        text.push_str(if roll() { "/" } else { "/." });
    }
    if roll() {
        text.push_str("?q=/v1/../@evil.test#frag");
    }
    text
}

proptest! {
    #![proptest_config(cases(2048))]

    #[test]
    fn do_not_matter(rule_parts in naive_rule(), parts in parts(), method in prop::sample::select(&METHODS[..]), dice in any::<u128>()) {
        let rule = rule(&rule_parts.text());
        let text = spell(&parts, dice);
        prop_assert_eq!(
            rule.matches(method, &url(&text)),
            rule_parts.allows(method, &parts),
            "rule {} and {} {}", rule, method, text
        );
    }

    #[test]
    fn of_a_rule_do_not_matter(rule_parts in naive_rule()) {
        let parsed = rule(&rule_parts.text());
        prop_assert_eq!(&rule(&parsed.to_string()), &parsed);
        prop_assert_eq!(&rule(&rule_parts.text().replace("example", "EXAMPLE").replace("/v1", "/x/../%761")), &parsed);
    }

    #[test]
    fn of_nonsense_never_panic(text in "\\PC{0,40}", target in "(https?://)?[a-z0-9.*:@%/\\\\?#\\[\\]+, -]{0,40}") {
        for text in [&text, &target] {
            if let Ok(parsed) = text.parse::<crate::network::Rule>() {
                prop_assert_eq!(&rule(&parsed.to_string()), &parsed);
            }
        }
    }
}

#[test]
fn of_dots_before_other_letters_do_not_matter() {
    for path in ["..\u{fc}", "%2e%2e\u{fc}", "..%C3%BC", "%2e%2e%C3%BC", ".%2E%c3%bc"] {
        let parsed = rule(&format!("example.com/{path}"));
        assert_eq!(parsed, rule("example.com/..\u{fc}"), "{path}");
        assert_eq!(rule(&parsed.to_string()), parsed, "{path}");
    }
    for path in ["..%3f", "%2e%2e%3Fa", "..%00", "..%25", "..%zz", "..%u003f", "..%252f", "..%ff"] {
        assert!(format!("example.com/{path}").parse::<crate::network::Rule>().is_err(), "{path}");
    }
}

#[test]
fn of_names_in_other_letters_do_not_matter() {
    let spellings = [
        "b\u{fc}cher.example",
        "B\u{dc}CHER.EXAMPLE",
        "bu\u{308}cher.example",
        "xn--bcher-kva.example",
        "XN--BCHER-KVA.Example.",
        "b%C3%BCcher.example",
        "\u{ff42}\u{fc}cher.example",
        "b\u{fc}\u{ad}cher.example",
        "b\u{fc}cher\u{3002}example",
        "b\u{fc}cher.ex%61mple",
    ];
    for rule in spellings {
        for spelling in spellings {
            assert!(allows(&[rule], "GET", &format!("http://{spelling}/")), "{rule} and {spelling}");
            assert!(
                allows(&[&format!("*.{rule}")], "GET", &format!("http://a.{spelling}/")),
                "*.{rule} and a.{spelling}"
            );
        }
    }
    for other in [
        "bucher.example",
        "b\u{fc}\u{441}her.example",
        "b\u{fc}cher.example.evil.test",
        "xb\u{fc}cher.example",
        "b\u{fc}cher.example%2eevil.test",
    ] {
        assert!(
            !allows(&["b\u{fc}cher.example", "*.b\u{fc}cher.example"], "GET", &format!("http://{other}/")),
            "{other}"
        );
    }
}
