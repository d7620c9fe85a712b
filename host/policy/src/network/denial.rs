//! Denials of requests, with a message for the program and its user.

use std::fmt;

use url::{Host, Url};

use super::rule::{Rule, without_root};

/// Maximum number of rules in a message. More would only fill a model's context.
const RULES_LISTED: usize = 20;
/// Maximum number of bytes of a path in a message.
const PATH_SHOWN: usize = 200;
/// Maximum number of bytes of an ambiguous segment in a message.
const SEGMENT_SHOWN: usize = 60;

/// A request that the policy denies. Its message has the request without credentials and query, which may be secret,
/// and the rules that were tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    request: String,
    reason: Reason,
    hint: Option<String>,
}

/// A segment of a path that a server may read as leading out of the path of a rule, and that rule.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Doubt {
    segment: String,
    rule: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reason {
    Off,
    Writes,
    NoRule { tried: Vec<String>, more: usize, doubt: Option<Box<Doubt>> },
    Method,
    Scheme(String),
    Address,
}

impl Denial {
    pub(super) fn off(method: &str, url: &Url) -> Self {
        let hint = format!("allow it with --allow \"{}\"", remedy(method, url));
        Self { request: request(method, url), reason: Reason::Off, hint: Some(hint) }
    }

    pub(super) fn writes(method: &str, url: &Url) -> Self {
        let hint = format!("allow it with --network allowlist --allow \"{}\"", remedy(method, url));
        Self { request: request(method, url), reason: Reason::Writes, hint: Some(hint) }
    }

    pub(super) fn no_rule(method: &str, url: &Url, rules: &[Rule]) -> Self {
        let tried = rules.iter().take(RULES_LISTED).map(ToString::to_string).collect();
        let doubt = rules.iter().find_map(|rule| {
            let segment = cut(rule.doubt(method, url)?, SEGMENT_SHOWN);
            Some(Box::new(Doubt { segment, rule: rule.to_string() }))
        });
        let mut hint = format!("allow it with --allow \"{}\"", remedy(method, url));
        if doubt.is_some() {
            hint = format!("write the path without `..` and without encoding it twice or in unusual ways, or {hint}");
        }
        let reason = Reason::NoRule { tried, more: rules.len().saturating_sub(RULES_LISTED), doubt };
        Self { request: request(method, url), reason, hint: Some(hint) }
    }

    pub(super) fn method(method: &str, url: &Url) -> Self {
        Self { request: request(method, url), reason: Reason::Method, hint: None }
    }

    pub(super) fn scheme(method: &str, url: &Url) -> Self {
        Self { request: request(method, url), reason: Reason::Scheme(url.scheme().to_owned()), hint: None }
    }

    /// The message does not have the address: a program must not learn the addresses of a private network from denials.
    pub(super) fn address(method: &str, url: &Url, full: bool) -> Self {
        let mark = match url.host() {
            Some(Host::Domain(name)) if without_root(name) != "localhost" => " +private",
            _ => "",
        };
        let rule = format!("{}{mark}", remedy(method, url));
        let hint = match full {
            true => format!("only an allowlist can name it: --network allowlist --allow \"{rule}\""),
            false => format!("allow it with --allow \"{rule}\""),
        };
        Self { request: request(method, url), reason: Reason::Address, hint: Some(hint) }
    }
}

/// Returns a rule that would allow the origin of this request.
fn remedy(method: &str, url: &Url) -> String {
    format!("{method} {}", url.origin().ascii_serialization())
}

fn request(method: &str, url: &Url) -> String {
    if !url.origin().is_tuple() {
        return format!("{method} {}:…", url.scheme());
    }
    format!("{method} {}{}", url.origin().ascii_serialization(), cut(url.path(), PATH_SHOWN))
}

fn cut(text: &str, most: usize) -> String {
    let shown = &text[..text.floor_char_boundary(most)];
    format!("{shown}{}", if shown.len() < text.len() { "…" } else { "" })
}

impl fmt::Display for Denial {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} is not allowed: ", self.request)?;
        match &self.reason {
            Reason::Off => formatter.write_str("the network is off")?,
            Reason::Writes => formatter.write_str("the network is `web`: GET and HEAD over https")?,
            Reason::NoRule { tried, more, doubt } => {
                formatter.write_str("no rule matches (tried: ")?;
                for (index, rule) in tried.iter().enumerate() {
                    write!(formatter, "{}`{rule}`", if index == 0 { "" } else { ", " })?;
                }
                match more {
                    0 => formatter.write_str(")")?,
                    more => write!(formatter, " and {more} more)")?,
                }
                if let Some(Doubt { segment, rule }) = doubt.as_deref() {
                    write!(formatter, ": a server may take `{segment}` for a way out of the path of `{rule}`")?;
                }
            }
            Reason::Method => formatter.write_str("this method is always denied")?,
            Reason::Scheme(scheme) => write!(formatter, "`{scheme}` URLs are never fetched, only http and https")?,
            Reason::Address => {
                formatter.write_str("the host is not a public address, and no rule that matches names it")?
            }
        }
        match &self.hint {
            Some(hint) => write!(formatter, "\nhint: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Denial {}
