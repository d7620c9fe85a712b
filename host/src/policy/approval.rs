//! Which calls somebody has to agree to, and who is asked.
//!
//! Approval comes after the rest of the policy: what is denied anyhow is never asked about, and what is approved is not
//! allowed by that if no rule allows it.

use std::{
    fmt,
    pin::Pin,
    str::FromStr,
    sync::Arc,
    task::{Context, Poll},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::task::JoinHandle;
use url::Url;

use super::network::Rule;
use crate::{Error, Tool, runtime::runtime};

/// What has to be agreed to before it happens.
///
/// Who is asked is a hook: [`SandboxBuilder::on_call`](crate::SandboxBuilder::on_call), or
/// [`RunOptions::on_call`](crate::RunOptions::on_call) for one run. Where there is none, what needs approval is denied.
/// The time that an answer takes counts as time of the run, except for [`Approval::Always`], where no run has begun.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", content = "rules", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Approval {
    /// Nothing, but for calls of tools that need it themselves ([`Tool::with_approval`]). The default.
    #[default]
    Never,
    /// Each program as a whole, once, before it starts. Its calls are not asked about.
    Always,
    /// Every call of a tool and every HTTP request, redirects included.
    PerCall,
    /// What rules say: the first one that matches decides, also over what a tool needs itself. What none matches has to
    /// be agreed to.
    Rules(Vec<ApprovalRule>),
}

/// One line of [`Approval::Rules`]: `allow github.get_*`, `ask github.*`, `deny http DELETE`, `ask *`.
///
/// After the verdict comes what it is about: the name of a tool, in which `*` stands for any text; `http` for every
/// request, `http METHOD`, or `http` and a network [`Rule`] (`ask http POST https://api.example.com`); or `*` alone for
/// everything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ApprovalRule {
    verdict: ApprovalVerdict,
    subject: Subject,
}

/// What a rule says about what it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ApprovalVerdict {
    /// It needs no approval.
    Allow,
    /// The hook is asked.
    Ask,
    /// It does not happen, and nobody is asked.
    Deny,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Subject {
    Everything,
    Tool(String),
    Http(Option<String>),
    Target(Rule),
}

/// What somebody is asked to agree to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CallRequest {
    /// `tools`, `http`, or `program` for a whole one.
    pub capability: &'static str,
    /// `call`, the method of the request, or `run`.
    pub operation: String,
    /// The tool's name, the URL of the request, or what the program is called.
    pub target: String,
    /// The tool's arguments; `{"body_bytes": n}` of a request; `{"code": "…"}` of a program.
    pub arguments: Value,
    /// What allows it otherwise: the network rule of a request.
    pub rule: Option<String>,
    /// Why it is asked about: the approval rule that matched, or the mode of approval.
    pub reason: String,
}

/// The answer of whoever was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// It may happen, this once.
    Allow,
    /// It may not. The program gets to read why.
    Deny(String),
}

impl Decision {
    /// It may not, for a reason that the program gets to read.
    pub fn deny(message: impl Into<String>) -> Self {
        Self::Deny(message.into())
    }
}

/// Whoever is asked. It is awaited on threads of this crate's own, and dropped where it stands when the run ends.
#[derive(Clone)]
pub(crate) struct CallHook(Arc<Answer>);

type Answer = dyn Fn(CallRequest) -> Pin<Box<dyn Future<Output = Decision> + Send>> + Send + Sync;

impl CallHook {
    pub(crate) fn new<Response>(hook: impl Fn(CallRequest) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Decision> + Send + 'static,
    {
        Self(Arc::new(move |request| Box::pin(hook(request))))
    }

    /// Asks at once; the answer is to be awaited, on any thread. A hook that panics has not agreed.
    pub(crate) fn ask(&self, request: CallRequest) -> Result<Asked, Error> {
        let hook = Arc::clone(&self.0);
        Ok(Asked(runtime()?.spawn(async move { hook(request).await })))
    }
}

/// A question that is under way. When this is dropped, nobody waits for an answer any more.
pub(crate) struct Asked(JoinHandle<Decision>);

impl Future for Asked {
    type Output = Decision;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Decision> {
        let failed = |_| Decision::deny("whoever was asked failed to answer");
        Pin::new(&mut self.0).poll(context).map(|answer| answer.unwrap_or_else(failed))
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl fmt::Debug for CallHook {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CallHook")
    }
}

/// What is to be done about a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Nothing,
    Asking { reason: String },
    Denied { reason: String },
}

impl Approval {
    pub(crate) fn of_tool(&self, tool: &Tool) -> Need {
        match self {
            Self::Always => Need::Nothing,
            Self::Never if tool.needs_approval() => Need::asking("the tool needs approval"),
            Self::Never => Need::Nothing,
            Self::PerCall => Need::asking("every call needs approval"),
            Self::Rules(rules) => Need::of(rules, |subject| subject.matches_tool(tool.name())),
        }
    }

    pub(crate) fn of_request(&self, method: &str, url: &Url) -> Need {
        match self {
            Self::Always | Self::Never => Need::Nothing,
            Self::PerCall => Need::asking("every call needs approval"),
            Self::Rules(rules) => Need::of(rules, |subject| subject.matches_request(method, url)),
        }
    }
}

impl Need {
    fn asking(reason: &str) -> Self {
        Self::Asking { reason: reason.to_owned() }
    }

    fn of(rules: &[ApprovalRule], matches: impl Fn(&Subject) -> bool) -> Self {
        match rules.iter().find(|rule| matches(&rule.subject)) {
            None => Self::asking("no approval rule matches"),
            Some(rule) => match rule.verdict {
                ApprovalVerdict::Allow => Self::Nothing,
                ApprovalVerdict::Ask => Self::Asking { reason: rule.to_string() },
                ApprovalVerdict::Deny => Self::Denied { reason: rule.to_string() },
            },
        }
    }
}

impl Subject {
    fn matches_tool(&self, name: &str) -> bool {
        match self {
            Self::Everything => true,
            Self::Tool(pattern) => glob(pattern, name),
            Self::Http(_) | Self::Target(_) => false,
        }
    }

    fn matches_request(&self, method: &str, url: &Url) -> bool {
        match self {
            Self::Everything => true,
            Self::Tool(_) => false,
            Self::Http(None) => true,
            Self::Http(Some(only)) => only.eq_ignore_ascii_case(method),
            Self::Target(rule) => rule.matches(method, url),
        }
    }
}

/// Whether a text is like a pattern in which `*` stands for any text.
fn glob(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(position) => rest = &rest[position + part.len()..],
            None => return false,
        }
    }
    // There was no `*`.
    rest.is_empty()
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
        let verdict = match words.next() {
            Some("allow") => ApprovalVerdict::Allow,
            Some("ask") => ApprovalVerdict::Ask,
            Some("deny") => ApprovalVerdict::Deny,
            _ => return Err(bad("does not begin with a verdict")),
        };
        let words: Vec<&str> = words.collect();
        let subject = match *words {
            [] => return Err(bad("does not say what it is about")),
            ["*"] => Subject::Everything,
            ["http"] => Subject::Http(None),
            ["http", method] if method.bytes().all(|byte| byte.is_ascii_uppercase()) => {
                Subject::Http(Some(method.to_owned()))
            }
            ["http", ..] => Subject::Target(words[1..].join(" ").parse::<Rule>()?),
            [tool] => Subject::Tool(tool.to_owned()),
            _ => return Err(bad("has too many words")),
        };
        Ok(Self { verdict, subject })
    }
}

impl fmt::Display for ApprovalVerdict {
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
        write!(formatter, "{} ", self.verdict)?;
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

impl fmt::Display for Approval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Never => formatter.write_str("never, but for tools that need it"),
            Self::Always => formatter.write_str("always, once for each program"),
            Self::PerCall => formatter.write_str("per call"),
            Self::Rules(rules) => {
                formatter.write_str("by rule:")?;
                for (index, rule) in rules.iter().enumerate() {
                    write!(formatter, "{} {rule}", if index == 0 { "" } else { "," })?;
                }
                formatter.write_str("; else ask")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(rules: &[&str], name: &str) -> Need {
        let rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
        let tool = Tool::with_schema(name, "", serde_json::json!({}), Ok::<_, String>).unwrap();
        Approval::Rules(rules).of_tool(&tool)
    }

    #[test]
    fn the_first_rule_that_matches_decides() {
        let rules = ["allow github.get_*", "deny *.delete_*", "ask github.*", "allow http"];
        assert_eq!(need(&rules, "github.get_issue"), Need::Nothing);
        assert_eq!(need(&rules, "github.delete_issue"), Need::Denied { reason: "deny *.delete_*".into() });
        assert_eq!(need(&rules, "github.create_issue"), Need::Asking { reason: "ask github.*".into() });
        assert_eq!(need(&rules, "other"), Need::asking("no approval rule matches"));
    }

    #[test]
    fn requests_are_matched_by_method_and_target() {
        let need = |rule: &str, method: &str, url: &str| {
            Approval::Rules(vec![rule.parse().unwrap(), "deny *".parse().unwrap()])
                .of_request(method, &url.parse().unwrap())
        };
        assert_eq!(need("allow http GET", "GET", "https://a.example/"), Need::Nothing);
        assert_ne!(need("allow http GET", "POST", "https://a.example/"), Need::Nothing);
        assert_eq!(need("allow http POST https://a.example/v1", "POST", "https://a.example/v1/x"), Need::Nothing);
        assert_ne!(need("allow http POST https://a.example/v1", "POST", "https://a.example/v2"), Need::Nothing);
        assert_ne!(need("allow github.*", "GET", "https://a.example/"), Need::Nothing);
    }

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
        ] {
            assert_eq!(glob(pattern, text), expected, "{pattern} {text}");
        }
    }
}
