//! Calls for whose answers a program waits, and their answers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::CapabilityKind;

/// A call that waits for an answer: of a deferred tool, or one whose approval was deferred.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PausedCall {
    /// The number of the call in its run, by which it is answered.
    pub id: u64,
    /// What is asked.
    pub asks: Asks,
    /// The capability that the call uses.
    pub capability: CapabilityKind,
    /// `call` for a tool or a function of an interface, or the method of a request.
    pub operation: String,
    /// The name of the tool, the URL of the request, or the function (`acme:weather/forecast.get`).
    pub target: String,
    /// The arguments. Those of a deferred tool fit its schema; those of a call that waits for approval are as the approver got
    /// them.
    pub arguments: Value,
    /// Why approval is needed. Empty if a result is asked for.
    pub reason: String,
    /// Whether it is a call of a deferred tool. If it waits for approval, its result is asked for next.
    pub is_deferred: bool,
}

impl PausedCall {
    /// Makes a call of a deferred tool.
    #[must_use]
    pub fn of_tool(id: u64, tool: String, arguments: Value) -> Self {
        Self {
            id,
            asks: Asks::Result,
            capability: CapabilityKind::Tools,
            operation: "call".into(),
            target: tool,
            arguments,
            reason: String::new(),
            is_deferred: true,
        }
    }

    /// Makes a call that waits for approval. `call` is the capability, the operation and the target.
    #[must_use]
    pub fn for_approval(
        id: u64,
        (capability, operation, target): (CapabilityKind, String, String),
        arguments: Value,
        reason: String,
    ) -> Self {
        Self { id, asks: Asks::Approval, capability, operation, target, arguments, reason, is_deferred: false }
    }

    /// Says that it is a call of a deferred tool.
    #[must_use]
    pub fn of_deferred_tool(self) -> Self {
        Self { is_deferred: true, ..self }
    }
}

/// What a call asks of the embedder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Asks {
    /// The result of a deferred tool: [`Answer::Value`] or [`Answer::Error`].
    Result,
    /// Whether the call may be made: [`Answer::Approve`] or [`Answer::Deny`].
    Approval,
}

/// The answer to a call that waits. As JSON: `{"value": …}`, `{"error": "…"}`, `"approve"` or `{"deny": "…"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// The result of a deferred tool. It is compared with the tool's output schema as any result is.
    Value(Value),
    /// The call of a deferred tool fails with this message: the program gets a `ToolError`.
    Error(String),
    /// The call is made now, with the rights that the sandbox grants now.
    Approve,
    /// The call is refused with this message.
    Deny(String),
}

impl Answer {
    /// What this is an answer to.
    #[must_use]
    pub fn answers(&self) -> Asks {
        match self {
            Self::Value(_) | Self::Error(_) => Asks::Result,
            Self::Approve | Self::Deny(_) => Asks::Approval,
        }
    }
}
