//! Calls without an answer: what each asks for, and what is kept for it.

use std::sync::Arc;

use isolette_policy::CallRequest;
use isolette_types::{Asks, PausedCall};
use isolette_work::{self as work, values::value_bytes};
use serde_json::Value;

use super::{decisions::DeferredQuestion, open_call::CallNumber};

/// A call that has no answer.
pub(super) struct Deferred {
    pub(super) asked: Asked,
    /// Bytes of the arguments as a value.
    pub(super) bytes: u64,
    /// What is reserved for them.
    _memory: Arc<work::Call>,
    /// The ticket; `None` for a call that the guest waits for.
    pub(super) ticket: Option<u32>,
}

/// What a call without an answer asks for.
pub(super) enum Asked {
    /// The result of a deferred tool.
    Result { name: String, arguments: Value },
    /// An approval: what the approver was asked, the call as part of a sentence, and as the guest submits calls, to make it then.
    /// `is_deferred` says that the call is one of a deferred tool, whose result is asked for next.
    Approval { request: CallRequest, what: String, submitted: Vec<u8>, is_deferred: bool },
}

impl Asked {
    pub(super) fn approval(question: DeferredQuestion, submitted: Vec<u8>, is_deferred: bool) -> Self {
        let DeferredQuestion { request, what } = question;
        Self::Approval { request, what, submitted, is_deferred }
    }

    pub(super) fn arguments(&self) -> &Value {
        match self {
            Self::Result { arguments, .. } => arguments,
            Self::Approval { request, .. } => &request.arguments,
        }
    }

    /// The call as the embedder sees it.
    pub(super) fn shown(&self, CallNumber(id): CallNumber) -> PausedCall {
        match self {
            Self::Result { name, arguments } => PausedCall::of_tool(id, name.clone(), arguments.clone()),
            Self::Approval { request, is_deferred, .. } => {
                let call = (request.capability, request.operation.clone(), request.target.clone());
                let shown = PausedCall::for_approval(id, call, request.arguments.clone(), request.reason.clone());
                if *is_deferred { shown.of_deferred_tool() } else { shown }
            }
        }
    }

    pub(super) fn asks(&self) -> Asks {
        match self {
            Self::Result { .. } => Asks::Result,
            Self::Approval { .. } => Asks::Approval,
        }
    }
}

impl Deferred {
    pub(super) fn new(asked: Asked, memory: Arc<work::Call>, ticket: Option<u32>) -> Self {
        let bytes = value_bytes(asked.arguments().to_string().as_bytes());
        Self { asked, bytes, _memory: memory, ticket }
    }
}
