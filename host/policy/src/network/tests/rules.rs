use super::{Network, allowlist, allows, rule, url};
use crate::{network::NetworkError, network::RULES_LIMIT, network::Reach, network::Rule};

/// Rule, method, URL, and whether it is allowed.
const TABLE: &[(&str, &str, &str, bool)] = &[
    // A bare host: both schemes, on their default ports, every method and path.
    ("api.example.com", "GET", "https://api.example.com/", true),
    ("api.example.com", "DELETE", "http://api.example.com/any/thing?x=1", true),
    ("api.example.com", "GET", "https://api.example.com:443/", true),
    ("api.example.com", "GET", "https://api.example.com:8443/", false),
    ("api.example.com", "GET", "http://api.example.com:443/", false),
    ("api.example.com", "GET", "https://example.com/", false),
    ("api.example.com", "GET", "https://x.api.example.com/", false),
    ("api.example.com", "GET", "https://api.example.com.evil.test/", false),
    ("api.example.com", "GET", "https://evil.test/api.example.com", false),
    ("api.example.com", "GET", "https://api.example.com@evil.test/", false),
    ("api.example.com", "GET", "https://evil.test#@api.example.com/", false),
    ("api.example.com", "GET", "https://evil.test\\@api.example.com/", false),
    // Schemes and ports.
    ("https://api.example.com", "GET", "https://api.example.com/", true),
    ("https://api.example.com", "GET", "http://api.example.com/", false),
    ("https://api.example.com", "GET", "http://api.example.com:443/", false),
    ("http://api.example.com", "GET", "https://api.example.com:80/", false),
    ("http://api.example.com:80", "GET", "http://api.example.com/", true),
    ("api.example.com:8080", "GET", "http://api.example.com:8080/", true),
    ("api.example.com:8080", "GET", "https://api.example.com:8080/", true),
    ("api.example.com:8080", "GET", "https://api.example.com/", false),
    ("https://api.example.com:8443/v1", "GET", "https://api.example.com:8443/v1/users", true),
    ("https://api.example.com:8443/v1", "GET", "https://api.example.com/v1/users", false),
    // Wildcards.
    ("*.example.com", "GET", "https://a.example.com/", true),
    ("*.example.com", "GET", "https://a.b.example.com/", true),
    ("*.example.com", "GET", "https://example.com/", false),
    ("*.example.com", "GET", "https://.example.com/", false),
    ("*.example.com", "GET", "https://badexample.com/", false),
    ("*.example.com", "GET", "https://a.example.com.evil.test/", false),
    // Paths.
    ("api.example.com/v1", "GET", "https://api.example.com/v1", true),
    ("api.example.com/v1", "GET", "https://api.example.com/v1/", true),
    ("api.example.com/v1/", "GET", "https://api.example.com/v1?q", true),
    ("api.example.com/v1", "GET", "https://api.example.com/v10", false),
    ("api.example.com/v1", "GET", "https://api.example.com/V1", false),
    ("api.example.com/v1", "GET", "https://api.example.com/", false),
    // Methods.
    ("GET api.example.com", "GET", "https://api.example.com/", true),
    ("get api.example.com", "gEt", "https://api.example.com/", true),
    ("GET api.example.com", "HEAD", "https://api.example.com/", false),
    ("GET,POST api.example.com", "POST", "https://api.example.com/", true),
    ("GET,POST api.example.com", "PUT", "https://api.example.com/", false),
    ("api.example.com", "CONNECT", "https://api.example.com/", false),
    ("api.example.com", "trace", "https://api.example.com/", false),
    // Other spellings of the same rule.
    ("HTTPS://API.Example.COM.:443/v1/", "GET", "https://api.example.com/v1", true),
    ("api.example.com", "GET", "https://API.EXAMPLE.COM./", true),
    ("api.example.com", "GET", "https://api.example.com../", false),
    ("api.example.com", "GET", "https://user:secret@api.example.com/", true),
    ("bücher.example", "GET", "https://xn--bcher-kva.example/", true),
    ("xn--bcher-kva.example", "GET", "https://BÜCHER.example/", true),
    ("api.example.com", "GET", "https://ａｐｉ．example。com/", true),
    ("api.example.com", "GET", "https://%61pi.example.com/", true),
    ("127.0.0.1:80", "GET", "http://0x7f.1/", true),
    ("127.0.0.1", "GET", "http://2130706433/", true),
    ("0177.1", "GET", "http://127.0.0.1/", true),
    ("127.0.0.1", "GET", "http://127.0.0.1./", true),
    ("127.0.0.1", "GET", "http://127.0.0.2/", false),
    ("127.0.0.1", "GET", "http://localhost/", false),
    ("127.0.0.1", "GET", "http://[::ffff:127.0.0.1]/", false),
    ("[::1]:8080", "GET", "http://[0:0::0:1]:8080/", true),
    ("[::1]", "GET", "http://[::1]:8080/", false),
    ("localhost:8080", "GET", "http://LOCALHOST:8080/", true),
];

#[test]
fn match_what_they_say() {
    for (text, method, target, allowed) in TABLE {
        assert_eq!(allows(&[text], method, target), *allowed, "{text}: {method} {target}");
    }
}

#[test]
fn are_printed_as_they_are_read() {
    for (text, printed) in [
        ("api.github.com", "api.github.com"),
        (" get,post,GET   HTTPS://Api.Example.com.:443/v1/  +private ", "GET,POST https://api.example.com/v1 +private"),
        ("http://127.1:8080/", "http://127.0.0.1:8080"),
        ("api.example.com:80", "api.example.com:80"),
        ("*.Example.com:8443/a%20b", "*.example.com:8443/a%20b"),
        ("https://[0:0::1]", "https://[::1]"),
        ("PURGE bücher.example", "PURGE xn--bcher-kva.example"),
    ] {
        assert_eq!(rule(text).to_string(), printed);
        assert_eq!(rule(printed), rule(text));
    }
    for (text, ..) in TABLE {
        assert_eq!(rule(&rule(text).to_string()), rule(text), "{text}");
    }
}

#[test]
fn are_refused_with_a_remedy() {
    for (text, problem) in [
        ("", "must be a target"),
        ("   ", "must be a target"),
        ("GET POST api.example.com", "must be a target"),
        ("api.example.com +public", "has the unknown mark `+public`"),
        ("*", "allows every host"),
        ("https://*/", "has an invalid wildcard"),
        ("GET *", "allows every host"),
        ("api.*.com", "has an invalid wildcard"),
        ("*api.example.com", "has an invalid wildcard"),
        ("*.*.example.com", "has an invalid wildcard"),
        ("*.127.0.0.1", "has an invalid wildcard"),
        ("%2a", "must be a bare domain"),
        ("\u{ff0a}.example.com", "must be a bare domain"),
        ("*.[::1]", "has an invalid wildcard"),
        ("api.example.com/*", "has an invalid wildcard"),
        ("ftp://api.example.com", "has the unsupported scheme `ftp`"),
        ("file:///etc/passwd", "has the unsupported scheme `file`"),
        ("https://user:pw@api.example.com", "has a user name"),
        ("api.example.com@evil.test", "has a user name"),
        ("https://api.example.com/?q=1", "has a query"),
        ("https://api.example.com/#top", "has a query"),
        ("https://", "must be a bare domain or an http(s) URL"),
        ("/v1", "must be a bare domain or an http(s) URL"),
        (".", "must be a bare domain or an http(s) URL"),
        ("*.", "must be a bare domain or an http(s) URL"),
        ("+private", "must be a target"),
        ("api.example.com example.com", "has `API.EXAMPLE.COM` where a method is expected"),
        ("api.exa<mple.com", "must be a bare domain or an http(s) URL"),
        ("api.example.com\\v1", "must be a bare domain or an http(s) URL"),
        ("1.2.3.4.5", "must be a bare domain or an http(s) URL"),
        ("[fe80::1%25eth0]", "must be a bare domain or an http(s) URL"),
        ("::1", "has an IPv6 address without brackets"),
        ("api.example.com:", "has an invalid port"),
        ("api.example.com:0", "has an invalid port"),
        ("api.example.com:65536", "has an invalid port"),
        ("api.example.com:+80", "has an invalid port"),
        ("api.example.com/a%2fb", "has a path that servers read in different ways"),
        ("api.example.com//v1", "has a path that servers read in different ways"),
        ("api.example.com/v1;x", "has a path that servers read in different ways"),
        ("CONNECT api.example.com", "allows CONNECT, which is always denied"),
        ("GET,TRACE api.example.com", "allows TRACE, which is always denied"),
        ("GET, api.example.com", "has `` where a method is expected"),
        ("G(T api.example.com", "has `G(T` where a method is expected"),
    ] {
        match text.parse::<Rule>() {
            Ok(rule) => panic!("{text} is taken for {rule}"),
            Err(error) => {
                let shown = error.to_string();
                assert!(shown.contains(&format!("`{}` {problem}", text.trim())), "{text}: {shown}");
                assert!(shown.contains("\nhint: "), "{text}: {shown}");
                assert_eq!(shown, format!("{}\nhint: {}", error.message(), error.hint()));
            }
        }
    }
}

/// A valid rule is valid again as it is printed, where letters that are not ASCII are several times as long.
#[test]
fn are_no_longer_than_names_and_paths_can_be() {
    let label = "x".repeat(63);
    let name = format!("{label}.{label}.{label}.{}", "x".repeat(61));
    let path = |letters| format!("api.example.com/{}", "é".repeat(letters));
    for text in [&name, &format!("{name}./v1"), &format!("*.{name}"), &path(338)] {
        assert_eq!(rule(&rule(text).to_string()), rule(text), "{text}");
    }
    for (text, problem) in [
        (format!("{name}x"), "has a longer domain than there can be: 253 bytes, 63 between dots"),
        (format!("*.{label}x.example"), "has a longer domain than there can be: 253 bytes, 63 between dots"),
        (format!("{}.example", "é".repeat(60)), "has a longer domain than there can be: 253 bytes, 63 between dots"),
        (path(339), "is longer than 2048 bytes"),
        (format!("api.example.com/{}", "x".repeat(3000)), "is longer than 2048 bytes"),
    ] {
        let refused = text.parse::<Rule>().map_err(|error| error.to_string());
        assert!(refused.as_ref().is_err_and(|shown| shown.contains(problem)), "{text}: {refused:?}");
    }
}

#[test]
fn are_built_without_text() -> Result<(), Box<dyn std::error::Error>> {
    let built = Rule::new("internal.api.example.com")?.methods(["get"])?.private();
    assert_eq!(built, rule("GET internal.api.example.com +private"));
    assert!(Rule::new("api.example.com")?.methods([""; 0]).is_err());
    assert!(Rule::new("GET api.example.com").is_err());

    for (base, expected) in [
        ("https://api.openbrewerydb.org/v1/", "https://api.openbrewerydb.org/v1"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://[::1]:8080/api?x#y", "http://[::1]:8080/api"),
    ] {
        assert_eq!(Rule::for_base_url(&url(base))?.to_string(), expected);
    }
    assert!(Rule::for_base_url(&url("file:///etc")).is_err());
    assert!(Rule::for_base_url(&url("data:text/plain,x")).is_err());
    Ok(())
}

#[test]
fn reach_farthest_when_several_match() {
    let network = allowlist(&["api.example.com", "GET api.example.com +private", "localhost", "127.0.0.1"]);
    let reach = |method, target| network.decide(method, &url(target)).map(|permit| permit.reach());
    assert_eq!(reach("GET", "https://api.example.com/"), Ok(Reach::Private));
    assert_eq!(reach("POST", "https://api.example.com/"), Ok(Reach::Public));
    assert_eq!(reach("GET", "http://localhost./"), Ok(Reach::Loopback));
    assert_eq!(reach("GET", "http://127.0.0.1/"), Ok(Reach::Any));
    let permit = network.decide("GET", &url("https://api.example.com/x"));
    assert_eq!(permit.map(|permit| permit.to_string()).as_deref(), Ok("GET api.example.com +private"));
}

#[test]
fn of_a_network_are_checked_and_shown() -> Result<(), Box<dyn std::error::Error>> {
    assert_eq!(Network::default(), Network::None);
    assert_eq!(Network::None.validate(), Ok(()));
    assert_eq!(Network::Full.validate(), Ok(()));
    assert_eq!(Network::Allowlist(Vec::new()).validate(), Err(NetworkError::Empty));
    let many = Network::Allowlist(vec![rule("api.example.com"); RULES_LIMIT + 1]);
    assert_eq!(many.validate(), Err(NetworkError::TooMany(RULES_LIMIT + 1)));
    assert_eq!(Network::Allowlist(vec![rule("api.example.com"); RULES_LIMIT]).validate(), Ok(()));

    let network = allowlist(&["GET a.example.com", "*.b.example.com +private"]);
    assert_eq!(network.to_string(), "allowlist: GET a.example.com, *.b.example.com +private");
    assert_eq!(Network::None.to_string(), "none");
    assert_eq!(
        serde_json::to_value(&network)?,
        serde_json::json!({"mode": "allowlist", "rules": ["GET a.example.com", "*.b.example.com +private"]})
    );
    assert_eq!(serde_json::to_value(Network::Full)?, serde_json::json!({"mode": "full"}));
    assert_eq!(serde_json::from_str::<Rule>("\"get a.example.com\"")?, rule("GET a.example.com"));
    assert!(serde_json::from_str::<Rule>("\"ftp://x\"").is_err());
    Ok(())
}
