//! Requests for a decision about a call: what a check or an approver receives, and what it returns.

use std::{fmt, panic::AssertUnwindSafe, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use isolette_types::CapabilityKind;

/// A call that a check or an approver decides about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallRequest {
    /// The capability that the call uses; [`CapabilityKind::Program`] for a program as a whole.
    pub capability: CapabilityKind,
    /// `call` for a tool or a function of an interface, the method of a request, the operation on a file, or `run` for
    /// a program.
    pub operation: String,
    /// The tool's name, the URL of the request, the function (`acme:weather/forecast.get`), the path, or the program's
    /// name.
    pub target: String,
    /// The arguments. For a tool, its arguments. For a request, `{"headers": [["name", "value"], …], "body": "…",
    /// "body_bytes": n}`, with the headers that the program has set, without the values of `Authorization`, `Cookie`
    /// and `Proxy-Authorization`, and with the body only if it is text of at most 64 KiB. For a function, the values by
    /// parameter name, or `{"arguments_bytes": n}` if they are long. For a program, `{"code": "…"}`.
    pub arguments: Value,
    /// The rule that allows the call: the network rule of a request, the rule for an interface, the pattern that allows
    /// a tool, or the mount of a file. `None` if there is none.
    pub rule: Option<String>,
    /// Why approval is needed: the approval rule that matched, the approval mode, or the reason of the check. Empty in
    /// the request to a check if no rule or mode requires approval.
    pub reason: String,
    /// Whether [`Decision::Defer`] pauses the program. It does not for programs that cannot be paused, a program as a whole, a
    /// file, and a redirect of a request: there it rejects.
    pub can_be_deferred: bool,
}

impl CallRequest {
    /// Creates a request without a rule and without a reason, whose decision cannot be deferred.
    pub fn new(
        capability: CapabilityKind,
        operation: impl Into<String>,
        target: impl Into<String>,
        arguments: Value,
    ) -> Self {
        let (operation, target) = (operation.into(), target.into());
        Self { capability, operation, target, arguments, rule: None, reason: String::new(), can_be_deferred: false }
    }

    /// Creates the request about a program as a whole, which has a name and a text.
    pub fn of_program(name: impl Into<String>, code: &str) -> Self {
        Self::new(CapabilityKind::Program, "run", name, json!({ "code": code })).reason("every program needs approval")
    }

    /// Sets the rule that allows the call.
    #[must_use]
    pub fn rule(self, rule: Option<String>) -> Self {
        Self { rule, ..self }
    }

    /// Sets why approval is needed.
    #[must_use]
    pub fn reason(self, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..self }
    }
}

/// The decision of an approver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Approves the call, this once.
    Allow,
    /// Rejects the call. The program receives the message.
    Deny(String),
    /// Leaves the decision to the caller that resumes the program: it is paused, as by a call of a deferred tool, and the answer is
    /// `Answer::Approve` or `Answer::Deny`. Only programs that `Sandbox::start` has started can be paused. Where
    /// [`CallRequest::can_be_deferred`] is false, this rejects.
    Defer,
}

impl Decision {
    /// Returns [`Decision::Deny`] with a message for the program.
    pub fn deny(message: impl Into<String>) -> Self {
        Self::Deny(message.into())
    }
}

/// The decision of a check about a call: `SandboxBuilder::on_call`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallDecision {
    /// The check has no objection. The call may still need approval.
    Allow,
    /// The call is denied without asking an approver. The program receives the message.
    Deny(String),
    /// The call needs approval, for this reason.
    Ask(String),
}

impl CallDecision {
    /// Returns [`CallDecision::Deny`] with a message for the program.
    pub fn deny(message: impl Into<String>) -> Self {
        Self::Deny(message.into())
    }

    /// Returns [`CallDecision::Ask`] with a reason for the approver.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::Ask(reason.into())
    }
}

/// A function of the embedder that decides about every call, synchronously, on the thread of the guest.
#[derive(Clone)]
pub struct CallCheck(Arc<dyn Fn(&CallRequest) -> CallDecision + Send + Sync>);

impl CallCheck {
    /// Creates a check from a function.
    pub fn new(check: impl Fn(&CallRequest) -> CallDecision + Send + Sync + 'static) -> Self {
        Self(Arc::new(check))
    }

    /// Returns the decision about a call. If the function panics, the call is denied.
    pub fn decide(&self, request: &CallRequest) -> CallDecision {
        std::panic::catch_unwind(AssertUnwindSafe(|| (self.0)(request)))
            .unwrap_or_else(|_| CallDecision::deny("the check of the host failed"))
    }
}

impl fmt::Debug for CallCheck {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("CallCheck")
    }
}
