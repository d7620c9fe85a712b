use proptest::prelude::*;

use super::{cases, rule, url};

/// Ways in which servers are known to read a path. Each gives the segments that it ends up with, decoded.
fn readings(path: &str) -> Vec<Vec<String>> {
    let mut readings = Vec::new();
    for rounds in 0..=3 {
        let mut text = path.as_bytes().to_vec();
        for _ in 0..rounds {
            text = percent_encoding::percent_decode(&text).collect();
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        for backslash in [false, true] {
            for merge in [false, true] {
                for parameters in [false, true] {
                    let text = if backslash { text.replace('\\', "/") } else { text.clone() };
                    let mut result: Vec<String> = Vec::new();
                    for segment in text.split('/').skip(1) {
                        let segment = if parameters { segment.split(';').next().unwrap_or("") } else { segment };
                        let decoded = percent_encoding::percent_decode_str(segment).decode_utf8_lossy();
                        match segment {
                            "" if merge => {}
                            "." => {}
                            ".." => drop(result.pop()),
                            _ => result.push(decoded.into_owned()),
                        }
                    }
                    readings.push(result);
                }
            }
        }
    }
    readings
}

fn fragment() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "/",
        "/",
        "//",
        "a",
        "b",
        "v1",
        "x",
        "..",
        ".",
        "%2e%2e",
        "%2E.",
        ".%2e",
        "%2f",
        "%2F",
        "\\",
        "%5c",
        ";",
        ";x=1",
        "%3b",
        "%252e%252e",
        "%252f",
        "%25252f",
        "%2525252e",
        "%255c",
        "%",
        "%2",
        "%61",
        "?q",
        "#f",
        "\t",
    ])
}

proptest! {
    #![proptest_config(cases(2048))]

    #[test]
    fn stay_inside_in_every_reading(parts in prop::collection::vec(fragment(), 0..12)) {
        let rule = rule("example.com/a/v1");
        let target = url(&format!("http://example.com/a/v1/{}", parts.concat()));
        if rule.matches("GET", &target) {
            for reading in readings(target.path()) {
                prop_assert!(reading.starts_with(&["a".into(), "v1".into()]), "{} may be {:?}", target, reading);
            }
        }
    }

    #[test]
    fn stay_inside_from_anywhere(parts in prop::collection::vec(fragment(), 0..14)) {
        let rule = rule("example.com/a/v1");
        let target = url(&format!("http://example.com/{}", parts.concat()));
        if rule.matches("GET", &target) {
            for reading in readings(target.path()) {
                prop_assert!(reading.starts_with(&["a".into(), "v1".into()]), "{} may be {:?}", target, reading);
            }
        }
    }

    #[test]
    fn allow_what_is_plainly_inside(parts in prop::collection::vec("[a-z0-9 ü+:@!~-]{1,8}", 0..6)) {
        let rule = rule("example.com/a/v1");
        let target = url(&format!("http://example.com/a/v1/{}", parts.join("/")));
        prop_assert!(rule.matches("GET", &target), "{}", target);
    }
}

#[test]
fn that_were_used_to_slip_out_are_refused() {
    let rule = rule("example.com/a/v1");
    for path in [
        "/a/v1/..",
        "/a/v1/../v2",
        "/a/v1/%2e%2e/v2",
        "/a/v1/..%2fv2",
        "/a/v1/%2e%2e%2fv2",
        "/a/v1/..%5cv2",
        "/a/v1/..\\v2",
        "/a/v1/%252e%252e%252fv2",
        "/a/v1/..;/v2",
        "/a/v1/..;x=1/v2",
        "/a/v1//..%2f..%2fa/v1",
        "/a/v1/;x/..%2f..%2fv2",
        "/a%2fv1",
        "/a%2fv1/x",
        "//a/v1",
        "/a//v1",
        "/A/v1",
        "/a/v1x",
        "/a/v1%2f..",
        "/a/v1;x/y",
        "/a/v1/%25252525252e",
        "/a/v1/..%00/v2",
        "/a/v1/..%09/v2",
        "/a/v1/..%20/v2",
        "/a/v1/%c0%ae%c0%ae/v2",
        "/a/v1/..%c0%afv2",
        "/a/v1/..%c1%9cv2",
        "/a/v1/%e0%80%ae./v2",
        "/a/v1/%25c0%25ae./v2",
    ] {
        assert!(!rule.matches("GET", &url(&format!("http://example.com{path}"))), "{path}");
    }
    for path in [
        "/a/v1",
        "/a/v1/",
        "/%61/v%31/x",
        "/a/v1/x/../y",
        "/a/./v1",
        "/b/../a/v1",
        "/a/v1/a%2fb",
        "/a/v1/100%25",
        "/a/v1/%c3%bc/%e2%82%ac/..a%20",
        "/a/v1/x..y/...",
        "/a/v1//x",
    ] {
        assert!(rule.matches("GET", &url(&format!("http://example.com{path}"))), "{path}");
    }
}

#[test]
fn of_any_length_are_decided_at_once() {
    // Quadratic work would take minutes here.
    let rule = rule("example.com/a");
    let nested = format!("http://example.com/a/%{}2e", "25".repeat(30_000));
    assert!(!rule.matches("GET", &url(&nested)));
}
