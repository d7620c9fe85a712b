//! What a run has to ask and to pay for before a call is made: approval, and budgets that it shares with other runs.

use std::sync::{Mutex, PoisonError};

use super::Record;
use crate::{
    Budget, Error,
    policy::{Approval, CallHook, CallRequest, CapabilityPolicy, Decision, Need},
};

#[derive(Debug)]
pub(crate) struct Terms {
    pub(crate) approval: Approval,
    pub(crate) on_call: Option<CallHook>,
    pub(crate) budgets: Vec<Budget>,
    pub(crate) capabilities: CapabilityPolicy,
}

impl Terms {
    /// Charges one call to every budget. `Err` is what the program gets to read.
    pub(super) fn charge_tool_call(&self) -> Result<(), String> {
        self.budgets.iter().try_for_each(Budget::take_tool_call).map_err(|limit| {
            format!(
                "tools may be called {limit} times by all runs together, and have been\n\
                 hint: this budget does not come back; finish with what there is"
            )
        })
    }

    /// Charges one request to every budget.
    pub(super) fn charge_http_request(&self) -> Result<(), String> {
        self.budgets.iter().try_for_each(Budget::take_http_request).map_err(|limit| {
            format!(
                "all runs together may send {limit} requests, and have done so\n\
                 hint: this budget does not come back; finish with what there is"
            )
        })
    }

    /// Whether a call may be made, as far as approval goes. To be awaited only as long as the run may last. `Err` is what
    /// the program gets to read.
    pub(super) async fn agree(
        on_call: Option<CallHook>,
        need: Need,
        record: &Mutex<Record>,
        what: &str,
        request: impl FnOnce(String) -> CallRequest,
    ) -> Result<(), String> {
        let note = |became| record.lock().unwrap_or_else(PoisonError::into_inner).approval(became);
        let reason = match need {
            Need::Nothing => return Ok(()),
            Need::Denied { reason } => {
                note("refused-by-rule");
                return Err(format!(
                    "{what} is denied by the rule `{reason}`\nhint: do without it, and say what it was needed for"
                ));
            }
            Need::Asking { reason } => reason,
        };
        let Some(hook) = on_call else {
            note("nobody-to-ask");
            return Err(format!(
                "{what} needs approval ({reason}), and there is nobody to ask\n\
                 hint: do without it, and say what it was needed for"
            ));
        };
        let asked = hook.ask(request(reason)).map_err(|error: Error| error.to_string())?;
        match asked.await {
            Decision::Allow => {
                note("approved");
                Ok(())
            }
            Decision::Deny(message) => {
                note("refused");
                Err(format!("{what} was not approved: {message}"))
            }
        }
    }
}
