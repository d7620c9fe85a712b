//! Parses network rules and their targets.
//!
//! Hosts and paths go through the same parser as those of requests, so that one spelling cannot have two meanings.
//! Common mistakes are refused with a hint; they are not guessed at.

use std::str::FromStr;

use url::{Host, Url};

use super::{
    RuleError,
    path::Prefix,
    rule::{Pattern, Rule, Scheme, without_root},
};

/// Maximum length in bytes, as written and as printed: text that is not ASCII becomes several times as long when
/// printed.
const LONGEST: usize = 2048;
/// Maximum length of a name, and of each of its labels, in bytes (RFC 1035, section 2.3.4, without the length of the
/// root).
const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

impl Rule {
    /// Creates a rule that allows every method to a target, in the grammar of [`Rule`].
    ///
    /// # Errors
    /// A [`RuleError`] that says what is wrong with the target.
    pub fn new(target: &str) -> Result<Self, RuleError> {
        parse(target)
    }

    /// Creates a rule for an API: the scheme, the host and the port of the URL, and all paths below its path. Its query
    /// and fragment are ignored.
    ///
    /// # Errors
    /// A [`RuleError`] unless it is an `http` or `https` URL with a host.
    pub fn for_base_url(url: &Url) -> Result<Self, RuleError> {
        let host = url.host_str().unwrap_or_default();
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        Self::new(&format!("{}://{host}{port}{}", url.scheme(), url.path().trim_end_matches('/')))
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, RuleError> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let private = words.last() == Some(&"+private");
        if private {
            words.pop();
        }
        let rule = match *words {
            [.., word] if word.starts_with('+') => Err(RuleError::new(
                text,
                format!("has the unknown mark `{word}`"),
                "the only mark is `+private`, at the end",
            )),
            [target] => Self::new(target),
            [methods, target] => Self::new(target).and_then(|rule| rule.methods(methods.split(','))),
            _ => Err(RuleError::new(
                text,
                "must be a target, at most with methods before it and `+private` after it".into(),
                "write for example `GET,POST https://api.example.com/v1 +private`",
            )),
        };
        let mut rule = rule.map_err(|error| error.of(text))?;
        rule.private = private;
        Ok(rule)
    }
}

fn parse(text: &str) -> Result<Rule, RuleError> {
    let bad = |problem: String, hint: &str| Err(RuleError::new(text, problem, hint));
    let not_a_target = |why: &str| {
        bad(
            format!("must be a bare domain or an http(s) URL{why}"),
            "write for example `api.example.com` or `https://api.example.com/v1`",
        )
    };
    let too_long = || bad(format!("is longer than {LONGEST} bytes"), "allow a shorter path");
    if text.len() > LONGEST {
        return too_long();
    }
    if text.bytes().any(|byte| byte <= b' ' || byte == 0x7f || byte == b'\\') {
        return not_a_target(": it has a space, a control character or a backslash");
    }
    if text.trim_end_matches('/') == "*" {
        return bad("allows every host".into(), "choose the network mode `full` for every public address");
    }

    let (scheme, rest) = match text.split_once("://") {
        None => (None, text),
        Some((scheme, rest)) => match scheme.to_ascii_lowercase().as_str() {
            "http" => (Some(Scheme::Http), rest),
            "https" => (Some(Scheme::Https), rest),
            _ => {
                return bad(
                    format!("has the unsupported scheme `{scheme}`"),
                    "use http:// or https://, or neither for both",
                );
            }
        },
    };
    if rest.contains(['?', '#']) {
        return bad("has a query or a fragment".into(), "end it with the path; the query of a request does not matter");
    }
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if authority.contains('@') {
        return bad("has a user name or a password".into(), "leave out everything up to the `@`");
    }
    let (below, authority) = match authority.strip_prefix("*.") {
        Some(authority) => (true, authority),
        None => (false, authority),
    };
    if authority.contains('*') || path.contains('*') {
        return bad("has an invalid wildcard".into(), "use a leading `*.` only; a path is a prefix as it is");
    }

    let (host, port) = match authority.rsplit_once(':') {
        Some((host, _)) if host.starts_with('[') && !host.ends_with(']') => (authority, None),
        Some((host, _)) if host.contains(':') && !host.starts_with('[') => {
            return bad("has an IPv6 address without brackets".into(), "write it as `[::1]` or `[::1]:8080`");
        }
        Some((host, port)) => (host, Some(port)),
        None => (authority, None),
    };
    let port = match port.map(number) {
        None => None,
        Some(Some(port)) => Some(port),
        Some(None) => {
            return bad("has an invalid port".into(), "write a number from 1 to 65535 after the host, or none");
        }
    };
    let host = match Host::parse(host) {
        Ok(Host::Domain(name)) if without_root(&name).is_empty() => return not_a_target(""),
        // The URL parser accepts hosts that no name server resolves; some of them would print as another rule.
        Ok(Host::Domain(name)) if !is_plain(without_root(&name)) => {
            return not_a_target(": the host is not a domain and not an IP address");
        }
        Ok(Host::Domain(name)) if is_long(without_root(&name)) => {
            return bad(
                format!("has a longer domain than there can be: {LONGEST_NAME} bytes, {LONGEST_LABEL} between dots"),
                "letters that are not ASCII count as their `xn--` form",
            );
        }
        Ok(Host::Domain(name)) => Host::Domain(without_root(&name).to_owned()),
        Ok(host) => host,
        Err(_) => return not_a_target(": the host is not a domain and not an IP address"),
    };
    let host = match (below, host) {
        (false, host) => Pattern::Exactly(host),
        (true, Host::Domain(name)) => Pattern::Below(name),
        (true, _) => {
            return bad("has an invalid wildcard".into(), "use `*.` before domains only, not before IP addresses");
        }
    };
    // Paths are normalised in the same way for every host.
    let Some(path) = Url::parse(&format!("http://host{path}")).ok().and_then(|url| Prefix::new(url.path())) else {
        return bad(
            "has a path that servers read in different ways".into(),
            "leave out empty segments, `;`, and encoded slashes, percent signs and control characters",
        );
    };
    let port = port.filter(|port| scheme.is_none_or(|scheme| *port != scheme.default_port()));
    let rule = Rule { methods: Vec::new(), scheme, host, port, path, private: false };
    if rule.to_string().len() > LONGEST { too_long() } else { Ok(rule) }
}

/// Returns whether a name has only letters, digits, `-` and `_` in labels that are not empty.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    name.split('.').all(|label| !label.is_empty() && label.bytes().all(plain))
}

/// Returns whether a name is longer than a name server accepts.
fn is_long(name: &str) -> bool {
    name.len() > LONGEST_NAME || name.split('.').any(|label| label.len() > LONGEST_LABEL)
}

fn number(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|port| digits && *port != 0)
}
