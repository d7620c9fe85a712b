use proptest::prelude::*;

use super::{cases, rule, url};

/// The ways in which servers are known to read a path. Each returns the resulting segments, decoded.
fn readings(path: &str) -> Vec<Vec<String>> {
    let mut readings = Vec::new();
    for (rounds, wide, drop_others) in
        (0..=3).flat_map(|rounds| [(rounds, false, false), (rounds, true, false), (rounds, true, true)])
    {
        let mut text = path.as_bytes().to_vec();
        for _ in 0..rounds {
            text = percent_encoding::percent_decode(&text).collect();
            if wide {
                text = widely(&text);
            }
        }
        let mut text = String::from_utf8_lossy(&text).into_owned();
        if drop_others {
            text.retain(|character| character.is_ascii_graphic());
        }
        for backslash in [false, true] {
            for merge in [false, true] {
                for parameters in [false, true] {
                    let text = if backslash { text.replace('\\', "/") } else { text.clone() };
                    let mut result: Vec<String> = Vec::new();
                    for segment in text.split('/').skip(1) {
                        let segment =
                            if parameters { segment.split([';', '?', '#']).next().unwrap_or("") } else { segment };
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

/// Reads bytes like a server that knows `%u002e`, accepts too many bytes for one character, and normalises wide
/// characters.
fn widely(bytes: &[u8]) -> Vec<u8> {
    let mut text: Vec<u8> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let escaped = rest.strip_prefix(b"%u").and_then(|rest| std::str::from_utf8(rest.get(..4)?).ok());
        if let Some(number) = escaped.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            text.extend(char::from_u32(number).unwrap_or('?').to_string().bytes());
            at += 6;
            continue;
        }
        let long = [("\u{ff0e}", "."), ("\u{2024}", "."), ("\u{ff0f}", "/"), ("\u{ff05}", "%")];
        let long = long.map(|(wide, plain)| (wide.as_bytes(), plain));
        let over: [(&[u8], &str); 6] = [
            (b"\xc0\xae", "."),
            (b"\xc0\x2e", "."),
            (b"\xe0\x80\xae", "."),
            (b"\xf0\x80\x80\xae", "."),
            (b"\xf8\x80\x80\x80\xae", "."),
            (b"\xfc\x80\x80\x80\x80\xaf", "/"),
        ];
        match long.iter().chain(&over).find(|(wide, _)| rest.starts_with(wide)) {
            Some((wide, plain)) => {
                text.extend(plain.bytes());
                at += wide.len();
            }
            None => {
                text.push(rest[0]);
                at += 1;
            }
        }
    }
    text
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
        "%3f",
        "%23",
        "%u002e",
        "%u002f",
        "%25u002e",
        "%u0025",
        "%c0%ae",
        "%e0%80%ae",
        "%f0%80%80%ae",
        "%f8%80%80%80%ae",
        "%fc%80%80%80%80%af",
        "%c0%2e",
        "\u{ff0e}",
        "\u{ff0f}",
        "\u{ff05}",
        "\u{2024}",
        "%00",
        "%ff",
        "\u{ad}",
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
        "/a/v1/%f0%80%80%ae./v2",
        "/a/v1/%f8%80%80%80%ae./v2",
        "/a/v1/%fc%80%80%80%80%ae./v2",
        "/a/v1/x%fc%80%80%80%80%afy",
        "/a/v1/%c0%2e%c0%2e/v2",
        "/a/v1/%u002e%u002e/v2",
        "/a/v1/%U002E./v2",
        "/a/v1/%25u002e%25u002e/v2",
        "/a/v1/%u002%65./v2",
        "/a/v1/%2%65%2%65/v2",
        "/a/v1/%uff0e%uff0e/v2",
        "/a/v1/\u{ff0e}\u{ff0e}/v2",
        "/a/v1/..\u{ff0f}v2",
        "/a/v1/..%e2%88%95v2",
        "/a/v1/\u{2025}/v2",
        "/a/v1/\u{ff05}2e\u{ff05}2e/v2",
        "/a/v1/%\u{ff12}\u{ff45}./v2",
        "/a/v1/\u{3002}\u{3002}/v2",
        "/a/v1/..%3f",
        "/a/v1/..%3fx/v2",
        "/a/v1/..%23",
        "/a/v1/..%253f",
        "/a/v1/..%ef%bc%9fx",
        "/a/v1/..:x/v2",
        "/a/v1/.%00./v2",
        "/a/v1/.%0d%0a./v2",
        "/a/v1/.%e2%80%8b./v2",
        "/a/v1/%20../v2",
        "/a/v1/.%ff./v2",
        "/a/v1/..%85/v2",
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
        "/a/v1/\u{ff21}\u{ff0f}\u{ff22}",
        "/a/v1/caf%e9",
        "/a/v1/v1.2..v1.3",
        "/a/v1/...txt",
        "/a/v1/..hidden",
        "/a/v1/%u0041",
        "/a/v1/\u{bd}.\u{2026}pdf",
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
