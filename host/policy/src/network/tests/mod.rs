mod addresses;
mod denials;
mod paths;
mod rules;
mod spellings;

use proptest::prelude::ProptestConfig;
use url::Url;

use super::{Network, Rule};

fn rule(text: &str) -> Rule {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

fn allowlist(rules: &[&str]) -> Network {
    Network::Allowlist(rules.iter().map(|text| rule(text)).collect())
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn allows(rules: &[&str], method: &str, target: &str) -> bool {
    allowlist(rules).decide(method, &url(target)).is_ok()
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}
