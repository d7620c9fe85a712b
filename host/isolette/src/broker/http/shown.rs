//! How requests appear in records and to the approver.

use serde_json::{Value, json};

use crate::audit::SHOWN_LIMIT;
use isolette_http::Hop;
use isolette_policy::REDACTED;

/// Headers that carry credentials.
const CREDENTIALS: [&str; 3] = ["authorization", "cookie", "proxy-authorization"];

/// A request as it is recorded. Credentials are redacted, because not every reader of the record may know them.
pub(super) fn arguments(url: &str, headers: &[(String, String)], body: &[u8]) -> Value {
    json!({
        "url": url,
        "headers": headers.iter().map(|(name, value)| header(name, value)).collect::<Vec<_>>(),
        "body": String::from_utf8_lossy(body),
    })
}

/// A request as the approver sees it, with the headers that the program has set.
pub(super) fn question(hop: &Hop<'_>, set: &[(&str, &str)]) -> Value {
    let is_set = |name: &str| set.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
    let headers = hop.headers.iter().filter(|(name, _)| is_set(name.as_str()));
    let headers = headers.map(|(name, value)| header(name.as_str(), &String::from_utf8_lossy(value.as_bytes())));
    let mut shown = json!({ "headers": headers.collect::<Vec<_>>(), "body_bytes": hop.body.len() });
    if let Some(text) =
        Some(hop.body).filter(|body| body.len() <= SHOWN_LIMIT).and_then(|body| str::from_utf8(body).ok())
    {
        shown["body"] = text.into();
    }
    shown
}

fn header(name: &str, value: &str) -> Value {
    let proof = CREDENTIALS.iter().any(|credentials| credentials.eq_ignore_ascii_case(name));
    json!([name, if proof { REDACTED } else { value }])
}

/// Removes the query, the fragment and the credentials of a URL, which may be secret.
pub(super) fn without_query(url: &str) -> String {
    match url::Url::parse(url) {
        // Such a URL has no known structure, and is never fetched.
        Ok(url) if url.cannot_be_a_base() => format!("{}:…", url.scheme()),
        Ok(mut url) => {
            url.set_query(None);
            url.set_fragment(None);
            // Only URLs that cannot have credentials return an error here.
            let _ = url.set_username("").and_then(|()| url.set_password(None));
            url.into()
        }
        // Without a parsed URL it is unknown where the credentials end, so only the scheme is shown.
        Err(_) if url.contains('@') => {
            let is_scheme = |scheme: &&str| scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let scheme = url.split_once("://").map(|(scheme, _)| scheme).filter(is_scheme);
            scheme.map_or_else(|| "…".to_owned(), |scheme| format!("{scheme}://…"))
        }
        Err(_) => url.split(['?', '#']).next().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    #[test]
    fn neither_queries_nor_credentials_are_shown() {
        for (url, shown) in [
            ("http://a.example/b?secret#secret", "http://a.example/b"),
            ("http://user:secret@a.example/b", "http://a.example/b"),
            ("http://user:secret@ho st/", "http://…"),
            ("http://user:se?cret@ho st/", "http://…"),
            ("http://user:se/cret@ho st/?a@b", "http://…"),
            ("//user:secret@ho st/", "…"),
            ("user:secret@ho st://", "user:…"),
            ("data:text/plain,secret", "data:…"),
            ("http://ho st/b?secret", "http://ho st/b"),
            ("http://ho st/b#secret", "http://ho st/b"),
        ] {
            assert_eq!(without_query(url), shown, "{url}");
        }
    }

    #[test]
    fn the_approver_sees_what_the_program_sends() {
        let mut headers = HeaderMap::new();
        for (name, value) in [("user-agent", "isolette"), ("authorization", "Bearer x"), ("x-kind", "a")] {
            headers.append(name, value.parse().unwrap());
        }
        let url = "http://a.example/".parse().unwrap();
        let overrides = std::collections::BTreeSet::new();
        let hop =
            |body| Hop { method: "POST", url: &url, headers: &headers, body, redirects: 0, overrides: &overrides };
        let set = [("Authorization", "Bearer x"), ("X-Kind", "a"), ("X-Lost", "b")];
        assert_eq!(
            question(&hop(b"hello"), &set),
            json!({"headers": [["authorization", "[redacted]"], ["x-kind", "a"]], "body_bytes": 5, "body": "hello"})
        );
        assert_eq!(question(&hop(b"\xff"), &[]), json!({"headers": [], "body_bytes": 1}));
        let long = vec![b'x'; SHOWN_LIMIT + 1];
        assert_eq!(question(&hop(&long), &[]), json!({"headers": [], "body_bytes": SHOWN_LIMIT + 1}));
    }
}
