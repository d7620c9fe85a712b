//! Approval rules: one line each that says which calls need approval.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use url::Url;
use wildmatch::WildMatchPattern;

use crate::network::Rule;
use isolette_types::Error;

/// One line of [`Approval::Rules`](crate::Approval::Rules): `allow github.get_*`, `ask github.*`, `deny http DELETE`, `ask *`.
///
/// The first word is what happens (`allow`, `ask` or `deny`), and the rest is the subject: the name of a tool, or of a
/// function of a custom interface (`acme:weather/forecast.get`, without version), in which `*` matches any text; `http`
/// for every request, `http METHOD`, or `http` and a network [`Rule`] (`ask http POST https://api.example.com`); or `*`
/// alone for everything.
///
/// A single word after `http` that consists of letters is a method: a well-known one in any case, any other in upper
/// case only. A host without a dot, other than `localhost`, is therefore written with its scheme: `ask http
/// http://intranet`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ApprovalRule {
    pub(super) action: ApprovalAction,
    pub(super) subject: Subject,
}

/// The action for a call that matches a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApprovalAction {
    /// The call needs no approval.
    Allow,
    /// The approver is asked.
    Ask,
    /// The call is denied without asking the approver.
    Deny,
}

/// The subject of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    Everything,
    Tool(String),
    Http(Option<String>),
    Target(Rule),
}

impl Subject {
    pub(super) fn matches_tool(&self, name: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Tool(pattern) => glob(pattern, name),
            Self::Http(_) | Self::Target(_) => false,
        }
    }

    /// Returns whether the rule applies to this request. A rule that asks or denies also applies to a request that a
    /// server may read as one that the rule is for.
    pub(super) fn matches_request(&self, method: &str, url: &Url, action: ApprovalAction) -> bool {
        match self {
            Self::Everything => true,
            Self::Tool(_) => false,
            Self::Http(None) => true,
            Self::Http(Some(only)) => only.eq_ignore_ascii_case(method),
            Self::Target(rule) if action == ApprovalAction::Allow => rule.matches(method, url),
            Self::Target(rule) => rule.may_match(method, url),
        }
    }
}

/// Returns whether a text matches a pattern in which `*` matches any text. No character matches a single arbitrary one.
fn glob(pattern: &str, text: &str) -> bool {
    WildMatchPattern::<'*', '\0'>::new(pattern).matches(text)
}

impl FromStr for ApprovalRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = |why: &str| {
            Error::invalid(
                format!("approval rule `{}` {why}", text.escape_debug()),
                "write `allow`, `ask` or `deny` and then the name of a tool (`github.*`), `http`, `http POST`, \
                 `http POST https://api.example.com` or `*`",
            )
        };
        let mut words = text.split_whitespace();
        let action = match words.next() {
            Some("allow") => ApprovalAction::Allow,
            Some("ask") => ApprovalAction::Ask,
            Some("deny") => ApprovalAction::Deny,
            _ => return Err(bad("does not begin with an action")),
        };
        let words: Vec<&str> = words.collect();
        let subject = match *words {
            [] => return Err(bad("does not say what it is about")),
            ["*"] => Subject::Everything,
            ["http"] => Subject::Http(None),
            ["http", method] if is_method(method) => Subject::Http(Some(method.to_ascii_uppercase())),
            // This would be a rule about a host, but its author may have meant a method.
            ["http", word] if is_bare(word) => {
                return Err(Error::invalid(
                    format!("approval rule `{}` has a word that is no method and no whole host", text.escape_debug()),
                    format!(
                        "write a method in capitals (`http {}`), or a host with its scheme (`http http://{word}`)",
                        word.to_ascii_uppercase()
                    ),
                ));
            }
            [http, ..] if http != "http" && http.eq_ignore_ascii_case("http") => {
                return Err(bad("does not have `http` in small letters"));
            }
            ["http", ..] => Subject::Target(words[1..].join(" ").parse::<Rule>()?),
            [tool] => Subject::Tool(tool.to_owned()),
            _ => return Err(bad("has too many words")),
        };
        Ok(Self { action, subject })
    }
}

/// Methods that cannot be confused with a host, in any case.
const METHODS: [&str; 24] = [
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "PATCH",
    "OPTIONS",
    "CONNECT",
    "TRACE",
    "TRACK",
    "QUERY",
    "PROPFIND",
    "PROPPATCH",
    "MKCOL",
    "COPY",
    "MOVE",
    "LOCK",
    "UNLOCK",
    "REPORT",
    "SEARCH",
    "PURGE",
    "LINK",
    "UNLINK",
    "MERGE",
];

fn is_method(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_uppercase()) || METHODS.iter().any(|method| method.eq_ignore_ascii_case(word))
}

/// Returns whether a word could be a method: no dot, scheme, port or wildcard marks it as a host.
fn is_bare(word: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    word.bytes().all(plain) && !word.eq_ignore_ascii_case("localhost")
}

impl fmt::Display for ApprovalAction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        })
    }
}

impl fmt::Display for ApprovalRule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ", self.action)?;
        match &self.subject {
            Subject::Everything => formatter.write_str("*"),
            Subject::Tool(pattern) => formatter.write_str(pattern),
            Subject::Http(None) => formatter.write_str("http"),
            Subject::Http(Some(method)) => write!(formatter, "http {method}"),
            Subject::Target(rule) => write!(formatter, "http {rule}"),
        }
    }
}

impl From<ApprovalRule> for String {
    fn from(rule: ApprovalRule) -> Self {
        rule.to_string()
    }
}

impl TryFrom<String> for ApprovalRule {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_they_are_written() {
        for text in ["allow *", "ask github.*", "deny http", "ask http POST", "ask http GET,POST https://a.example/v1"]
        {
            assert_eq!(text.parse::<ApprovalRule>().unwrap().to_string(), text);
        }
        for text in ["", "allow", "permit x", "allow a b", "ask http POST ftp://x"] {
            assert!(text.parse::<ApprovalRule>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_method_is_never_taken_for_a_host() {
        for (text, expected) in [
            ("deny http delete", "deny http DELETE"),
            ("ask http Propfind", "ask http PROPFIND"),
            ("ask http ODD", "ask http ODD"),
            ("ask http localhost", "ask http localhost"),
            ("ask http delete.example", "ask http delete.example"),
            ("ask http http://delete", "ask http http://delete"),
            ("ask http delete http://a.example", "ask http DELETE http://a.example"),
        ] {
            assert_eq!(text.parse::<ApprovalRule>().unwrap().to_string(), expected);
        }
        let rule: ApprovalRule = "deny http delete".parse().unwrap();
        assert!(rule.subject.matches_request("DELETE", &"https://a.example/".parse().unwrap(), rule.action));
        for text in ["deny http odd", "deny http intranet", "deny HTTP", "deny Http GET"] {
            assert!(text.parse::<ApprovalRule>().is_err(), "{text}");
        }
        let error = "deny http odd".parse::<ApprovalRule>().unwrap_err().to_string();
        assert!(error.contains("`http ODD`") && error.contains("`http http://odd`"), "{error}");
    }

    #[test]
    fn patterns_cover_the_whole_name() {
        for (pattern, text, expected) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "ab", true),
            ("*b", "ab", true),
            ("a*c", "abc", true),
            ("a*b*c", "axbyc", true),
            ("a*b*c", "acb", false),
            ("*", "", true),
            ("ab*b", "ab", false),
            ("a?c", "abc", false),
        ] {
            assert_eq!(glob(pattern, text), expected, "{pattern} {text}");
        }
    }
}
