//! Approval: which calls need it, and which of them a rule decides.
//!
//! Approval comes after the rest of the policy: a call that the policy denies is never presented to the approver, and
//! an approval does not allow a call that no rule allows.

mod hook;
mod rule;

use std::fmt;

use serde::Serialize;
use url::Url;

pub use self::hook::CallCheck;
use self::rule::Subject;
pub use self::{
    hook::{CallDecision, CallRequest, Decision},
    rule::{ApprovalAction, ApprovalRule},
};

/// Which calls or programs need approval before they are executed.
///
/// `SandboxBuilder::approver` sets the approver, and `RunOptions::approver` that of one run. Without an approver, calls
/// that need approval are denied. Conditions that rules cannot express are for a check of every call:
/// `SandboxBuilder::on_call`. The time that the approver takes counts as time of the run, except for
/// [`Approval::Always`], where the run has not begun.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(tag = "mode", content = "rules", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Approval {
    /// Only calls of tools that require approval themselves (`Tool::with_approval`). The default.
    #[default]
    Never,
    /// Each program as a whole, once, before it starts. Its calls need no approval.
    Always,
    /// Every call of a tool or of a custom interface and every HTTP request, redirects included.
    PerCall,
    /// The first rule that matches a call decides, also over the requirement of the tool itself. Calls that match no
    /// rule need approval.
    Rules(Vec<ApprovalRule>),
}

/// Whether a call needs approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Need {
    /// The call needs no approval.
    Nothing,
    /// The call needs approval.
    Asking {
        /// The reason.
        reason: String,
    },
    /// A rule denies the call.
    Denied {
        /// The rule.
        reason: String,
    },
}

impl Approval {
    /// Returns what a tool call needs. `needs_approval` is the requirement of the tool itself.
    pub fn of_tool(&self, name: &str, needs_approval: bool) -> Need {
        match self {
            Self::Always => Need::Nothing,
            Self::Never if needs_approval => Need::asking("the tool needs approval"),
            Self::Never => Need::Nothing,
            Self::PerCall => Need::asking("every call needs approval"),
            Self::Rules(rules) => Need::of(rules, |subject, _| subject.matches_tool(name)),
        }
    }

    /// Returns what a call of a function needs. `name` is the interface and the function: `acme:weather/forecast.get`.
    /// A rule for the interface applies to all of its functions.
    pub fn of_capability(&self, name: &str) -> Need {
        match self {
            Self::Always | Self::Never => Need::Nothing,
            Self::PerCall => Need::asking("every call needs approval"),
            Self::Rules(rules) => Need::of(rules, |subject, _| {
                let interface = name.split_once('.').map(|(interface, _)| interface);
                subject.matches_tool(name) || interface.is_some_and(|interface| subject.matches_tool(interface))
            }),
        }
    }

    /// Returns what an HTTP request needs.
    pub fn of_request(&self, method: &str, url: &Url) -> Need {
        match self {
            Self::Always | Self::Never => Need::Nothing,
            Self::PerCall => Need::asking("every call needs approval"),
            Self::Rules(rules) => Need::of(rules, |subject, action| subject.matches_request(method, url, action)),
        }
    }
}

impl Need {
    /// Returns the stricter of two needs; `self` if both are of the same kind.
    pub fn stricter(self, other: Self) -> Self {
        let rank = |need: &Self| match need {
            Self::Nothing => 0,
            Self::Asking { .. } => 1,
            Self::Denied { .. } => 2,
        };
        if rank(&other) > rank(&self) { other } else { self }
    }

    fn asking(reason: &str) -> Self {
        Self::Asking { reason: reason.to_owned() }
    }

    fn of(rules: &[ApprovalRule], matches: impl Fn(&Subject, ApprovalAction) -> bool) -> Self {
        match rules.iter().find(|rule| matches(&rule.subject, rule.action)) {
            None => Self::asking("no approval rule matches"),
            Some(rule) => match rule.action {
                ApprovalAction::Allow => Self::Nothing,
                ApprovalAction::Ask => Self::Asking { reason: rule.to_string() },
                ApprovalAction::Deny => Self::Denied { reason: rule.to_string() },
            },
        }
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
        Approval::Rules(rules).of_tool(name, false)
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
    fn an_interface_stands_for_its_functions() {
        let need = |rules: &[&str]| {
            let rules = rules.iter().map(|rule| rule.parse().unwrap()).collect();
            Approval::Rules(rules).of_capability("acme:weather/forecast.get")
        };
        let denied = |rule: &str| Need::Denied { reason: rule.into() };
        for rule in ["deny acme:weather/forecast", "deny acme:*", "deny acme:weather/forecast.*", "deny *.get"] {
            assert_eq!(need(&[rule, "allow *"]), denied(rule));
        }
        for rule in ["deny acme:weather/forecast.set", "deny acme:weather/fore", "deny forecast"] {
            assert_eq!(need(&[rule, "allow *"]), Need::Nothing, "{rule}");
        }
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
    fn what_a_server_may_read_as_denied_is_denied() {
        let need = |path: &str| {
            let rules = ["deny http https://a.example/v1/admin", "allow http"];
            Approval::Rules(rules.map(|rule| rule.parse().unwrap()).into())
                .of_request("GET", &format!("https://a.example{path}").parse().unwrap())
        };
        for path in [
            "/v1/admin",
            "/v1/admin/x",
            "/v1//admin",
            "/v1/Admin",
            "/v1/%61dmin",
            "/v1/%2561dmin",
            "/v1/%u0061dmin",
            "/v1%2fadmin",
            "/v1/admin;x=1/y",
            "/v1/admin%3fx",
            "/v1/x/..%2fadmin",
            "/v2/..;/v1/admin",
            "/v1/%ef%bd%81dmin",
        ] {
            assert!(matches!(need(path), Need::Denied { .. }), "{path}");
        }
        for path in ["/v1", "/v1/user", "/v1/administrator", "/v2/v1/admin", "/v1/a%2fb", "/"] {
            assert_eq!(need(path), Need::Nothing, "{path}");
        }
    }
}
