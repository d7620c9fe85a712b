//! A rule, a method and a URL, one per line: a request is allowed only if a naive implementation agrees.

#![no_main]

use isolette::policy::network::{Network, Rule};
use isolette_fuzz::network as naive;
use url::{Host, Url};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut lines = text.splitn(3, '\n');
    let (Some(rule), Some(method), Some(url)) = (lines.next(), lines.next(), lines.next()) else { return };
    let Ok(url) = Url::parse(url) else { return };
    let literal = match url.host() {
        Some(Host::Ipv4(address)) => Some(address.into()),
        Some(Host::Ipv6(address)) => Some(address.into()),
        _ => None,
    };
    for open in [Network::Full, Network::Web] {
        if open.decide(method, &url).is_ok() {
            assert!(literal.is_none_or(|address| !naive::is_inside(address)), "{open} reaches {url}");
            assert!(["http", "https"].contains(&url.scheme()));
        }
    }
    let Ok(rule) = rule.parse::<Rule>() else { return };
    let printed = rule.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(&rule), "the printed rule differs");
    let Some(naive_rule) = naive::Rule::read(&printed) else { return };
    let allowed = Network::Allowlist(vec![rule]).decide(method, &url).is_ok();
    if allowed {
        assert!(naive_rule.may_match(method, &url), "`{printed}` allows {method} {url}");
        let upper = method.to_ascii_uppercase();
        assert!(!["CONNECT", "TRACE", "TRACK"].contains(&upper.as_str()), "{method}");
    } else if method == "GET" && naive_rule.must_match(method, &url) {
        panic!("`{printed}` does not allow {method} {url}");
    }
});
