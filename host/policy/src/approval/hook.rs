//! What a call looks like to those who decide about it: a check that is made of every call, and whoever is asked.

use std::{fmt, panic::AssertUnwindSafe, sync::Arc};

use serde::Serialize;
use serde_json::Value;

use isolette_types::CapabilityKind;

/// A call that is to be decided about.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CallRequest {
    /// Which capability it is for; [`CapabilityKind::Program`] for a program as a whole.
    pub capability: CapabilityKind,
    /// `call`, the method of the request, what is done with a file, or `run`.
    pub operation: String,
    /// The tool's name, the URL of the request, the function (`acme:weather/forecast.get`), the path, or what the program is
    /// called.
    pub target: String,
    /// The tool's arguments; `{"headers": [["name", "value"], …], "body": "…", "body_bytes": n}` of a request, with the headers
    /// that the program has set, the values of `Authorization`, `Cookie` and `Proxy-Authorization` left out, and the body only
    /// where it is text of 64 KiB at most; the values of a function's parameters by
    /// their names, or `{"arguments_bytes": n}` if they are long; `{"code": "…"}` of a program.
    pub arguments: Value,
    /// What allows it otherwise: the network rule of a request, the rule for an interface, the pattern that lends a tool, the
    /// mount of a file.
    pub rule: Option<String>,
    /// Why somebody is asked about it: the approval rule that matched, the mode of approval, or what the check said. Empty in
    /// a check that nothing came before.
    pub reason: String,
}

impl CallRequest {
    /// A call that nothing is known of besides its arguments.
    pub fn new(
        capability: CapabilityKind,
        operation: impl Into<String>,
        target: impl Into<String>,
        arguments: Value,
    ) -> Self {
        let (operation, target) = (operation.into(), target.into());
        Self { capability, operation, target, arguments, rule: None, reason: String::new() }
    }

    /// The rule that allows it.
    #[must_use]
    pub fn rule(self, rule: Option<String>) -> Self {
        Self { rule, ..self }
    }

    /// Why it is asked about.
    #[must_use]
    pub fn reason(self, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), ..self }
    }
}

/// The answer of the approver.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// What a check makes of a call: `SandboxBuilder::on_call`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallDecision {
    /// The check has nothing against it. Approval may be needed all the same.
    Allow,
    /// It does not happen, and nobody is asked. The program gets to read why.
    Deny(String),
    /// Somebody has to agree to it, for this reason.
    Ask(String),
}

impl CallDecision {
    /// It does not happen, for a reason that the program gets to read.
    pub fn deny(message: impl Into<String>) -> Self {
        Self::Deny(message.into())
    }

    /// Somebody has to agree to it, for this reason.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::Ask(reason.into())
    }
}

/// Sees every call on the thread of the guest, and decides at once.
#[derive(Clone)]
pub struct CallCheck(Arc<dyn Fn(&CallRequest) -> CallDecision + Send + Sync>);

impl CallCheck {
    /// A check by this function.
    pub fn new(check: impl Fn(&CallRequest) -> CallDecision + Send + Sync + 'static) -> Self {
        Self(Arc::new(check))
    }

    /// Decides about a call. A check that panics denies it.
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
