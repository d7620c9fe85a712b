use super::{Network, allowlist, url};

fn denial(network: &Network, method: &str, target: &str) -> String {
    match network.decide(method, &url(target)) {
        Ok(permit) => panic!("{method} {target} is allowed by {permit}"),
        Err(denial) => denial.to_string(),
    }
}

#[test]
fn name_request_and_rules_but_no_secrets() {
    let network = allowlist(&["api.github.com", "GET internal.api.example.com"]);
    assert_eq!(
        denial(&network, "POST", "https://user:secret@internal.api.example.com:443/a/b?token=secret#secret"),
        "POST https://internal.api.example.com/a/b is not allowed: no rule matches \
         (tried: `api.github.com`, `GET internal.api.example.com`)\n\
         hint: allow it with --allow \"POST https://internal.api.example.com\""
    );
    assert_eq!(
        denial(&Network::None, "GET", "http://example.com:8080/x"),
        "GET http://example.com:8080/x is not allowed: the network is off\n\
         hint: allow it with --allow \"GET http://example.com:8080\""
    );
}

#[test]
fn of_a_path_that_may_lead_elsewhere_say_where_and_by_which_rule() {
    let network = allowlist(&["other.example.com", "GET example.com/v1"]);
    assert_eq!(
        denial(&network, "GET", "https://example.com/v1/a/..%3fb/c"),
        "GET https://example.com/v1/a/..%3fb/c is not allowed: no rule matches \
         (tried: `other.example.com`, `GET example.com/v1`): a server may take `..%3fb` for a way out of the path of \
         `GET example.com/v1`\n\
         hint: write the path without `..` and without encoding it twice or in unusual ways, or allow it with \
         --allow \"GET https://example.com\""
    );
}

#[test]
fn are_short_however_long_the_request_and_the_rules() {
    let rules: Vec<String> = (0..1000).map(|number| format!("host-{number}.example.com")).collect();
    let network = allowlist(&rules.iter().map(String::as_str).collect::<Vec<_>>());
    let shown = denial(&network, "GET", &format!("https://example.com/{}", "ü".repeat(5000)));
    assert!(shown.contains("`host-19.example.com` and 980 more)"), "{shown}");
    assert!(shown.len() < 1500, "{shown}");
}

#[test]
fn of_methods_schemes_and_addresses_say_so() {
    let network = allowlist(&["example.com"]);
    assert!(denial(&network, "CONNECT", "https://example.com/").ends_with("this method is always denied"));
    assert!(denial(&Network::Full, "TRACE", "https://example.com/").ends_with("this method is always denied"));
    for target in [
        "file:///etc/passwd",
        "ftp://example.com/",
        "data:text/plain,x",
        "ws://example.com/",
        "blob:https://example.com/x",
    ] {
        for network in [&network, &Network::Full] {
            assert!(denial(network, "GET", target).contains("URLs are never fetched"), "{target}");
        }
    }
    assert_eq!(
        denial(&Network::Full, "GET", "http://169.254.169.254/latest/meta-data"),
        "GET http://169.254.169.254/latest/meta-data is not allowed: the host is not a public address, and no rule that \
         matches names it\n\
         hint: only an allowlist can name it: --network allowlist --allow \"GET http://169.254.169.254\""
    );
}

#[test]
fn of_names_with_private_addresses_do_not_reveal_them() {
    let network = allowlist(&["intranet.example.com"]);
    let target = url("https://intranet.example.com/x");
    let permit = network.decide("GET", &target).unwrap_or_else(|denial| panic!("{denial}"));
    assert_eq!(
        permit.refuse_addresses("GET", &target).to_string(),
        "GET https://intranet.example.com/x is not allowed: the host is not a public address, and no rule that matches \
         names it\nhint: allow it with --allow \"GET https://intranet.example.com +private\""
    );
}

#[test]
fn offer_a_rule_that_helps() {
    for target in ["https://example.com/a?b", "http://[::1]:8080/", "http://10.0.0.1/", "https://bücher.example:8443/x"]
    {
        let shown = denial(&Network::None, "PATCH", target);
        let remedy = shown.split('"').nth(1).unwrap_or_default();
        assert!(allowlist(&[remedy]).decide("PATCH", &url(target)).is_ok(), "{remedy}");
    }
}
