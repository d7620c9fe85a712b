//! Decisions about a call before it is made: shared budgets, checks and approval.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use isolette_policy::{Budget, CallDecision, CallRequest, Decision, Need};
use isolette_types::{ApprovalOutcome, Error};

use super::{Record, open_call::CallNumber};
use crate::{approver::Asked, oversight::Oversight};

impl Oversight {
    /// Charges one tool call to every budget. `Err` is the message that the program gets.
    pub(super) fn charge_tool_call(&self) -> Result<(), String> {
        self.charge(Budget::take_tool_call, Budget::return_tool_call).map_err(|limit| {
            format!(
                "tools may be called {limit} times by all runs together, and have been\n\
                 hint: this budget does not come back; finish with what there is"
            )
        })
    }

    /// Charges one request to every budget. `Err` is the message that the program gets.
    pub(super) fn charge_http_request(&self) -> Result<(), String> {
        self.charge(Budget::take_http_request, Budget::return_http_request).map_err(|limit| {
            format!(
                "all runs together may send {limit} requests, and have done so\n\
                 hint: this budget does not come back; finish with what there is"
            )
        })
    }

    /// Takes from every budget, or from none of them. `Err` has the limit of the one that has nothing left.
    fn charge(&self, take: fn(&Budget) -> Result<(), u64>, give_back: fn(&Budget)) -> Result<(), u64> {
        for (number, budget) in self.budgets.iter().enumerate() {
            if let Err(limit) = take(budget) {
                self.budgets[..number].iter().for_each(give_back);
                return Err(limit);
            }
        }
        Ok(())
    }

    /// Whether a check or an approval decides about such a call.
    pub(super) fn is_decided(&self, need: &Need) -> bool {
        *need != Need::Nothing || !self.checks.is_empty()
    }

    /// Applies the checks, and starts the approval if the call needs one. `None` means that the call may be made; `Err`
    /// is the message that the program gets.
    pub(super) fn question(
        &self,
        need: Need,
        (record, call): (&Arc<Mutex<Record>>, CallNumber),
        what: impl Fn() -> String,
        request: impl FnOnce() -> CallRequest,
        asking: Asking<'_>,
    ) -> Result<Option<Question>, String> {
        let deferrals = match asking {
            Asking::Deferrable(deferrals) => Some(deferrals),
            Asking::ForNow | Asking::Approved => None,
        };
        let note = |outcome| record.lock().unwrap_or_else(PoisonError::into_inner).approval(call, outcome);
        let mut reason = match need {
            _ if !self.is_decided(&need) => return Ok(None),
            Need::Nothing => None,
            Need::Asking { reason } => Some(reason),
            Need::Denied { reason } => {
                note(ApprovalOutcome::RefusedByRule);
                record.lock().unwrap_or_else(PoisonError::into_inner).rule(call, &reason);
                return Err(format!(
                    "{} is denied by the rule `{reason}`\nhint: do without it, and say what it was needed for",
                    what()
                ));
            }
        };
        let mut request = request().reason(reason.clone().unwrap_or_default());
        request.can_be_deferred = deferrals.is_some();
        for check in &self.checks {
            match check.decide(&request) {
                CallDecision::Allow => {}
                CallDecision::Deny(message) => {
                    note(ApprovalOutcome::RefusedByCheck);
                    return Err(format!("{} is denied: {message}", what()));
                }
                // If the call needed approval before, the earlier reason is kept.
                CallDecision::Ask(why) => reason = reason.or(Some(why)),
            }
        }
        let Some(reason) = reason.filter(|_| !matches!(asking, Asking::Approved)) else { return Ok(None) };
        let what = what();
        let Some(approver) = &self.approver else {
            note(ApprovalOutcome::NoApprover);
            return Err(format!(
                "{what} needs approval ({reason}), and there is no approver\n\
                 hint: do without it, and say what it was needed for"
            ));
        };
        request.reason = reason;
        let deferral = deferrals.map(|deferrals| (Arc::clone(deferrals), request.clone()));
        let asked = approver.ask(request).map_err(|error: Error| error.to_string())?;
        Ok(Some(Question { asked, what, record: Arc::clone(record), call, deferral }))
    }
}

/// Whether an approver is asked about a call that needs approval.
#[derive(Clone, Copy)]
pub(super) enum Asking<'a> {
    /// It is, and can defer the decision.
    Deferrable(&'a Arc<Deferrals>),
    /// It is, and has to decide now: the run cannot wait, or the program or a server has a part of the call already.
    ForNow,
    /// The call was approved before.
    Approved,
}

/// The calls of a run whose approval was deferred, and those that were approved afterwards.
#[derive(Default)]
pub(super) struct Deferrals(Mutex<State>);

#[derive(Default)]
struct State {
    deferred: BTreeMap<CallNumber, DeferredQuestion>,
    approved: BTreeSet<CallNumber>,
}

/// A question whose answer was deferred.
pub(super) struct DeferredQuestion {
    /// What the approver was asked.
    pub(super) request: CallRequest,
    /// The call, as part of a sentence for the program.
    pub(super) what: String,
}

impl Deferrals {
    /// The question about a call, if the approver has deferred the decision.
    pub(super) fn take(&self, call: CallNumber) -> Option<DeferredQuestion> {
        self.state().deferred.remove(&call)
    }

    /// Notes that a call is made again that was counted and approved.
    pub(super) fn approve(&self, call: CallNumber) {
        self.state().approved.insert(call);
    }

    /// Whether a call was counted and approved before.
    pub(super) fn is_approved(&self, call: CallNumber) -> bool {
        self.state().approved.contains(&call)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pending approval of a call. It must be awaited under the deadline of the run.
pub(super) struct Question {
    asked: Asked,
    what: String,
    record: Arc<Mutex<Record>>,
    call: CallNumber,
    /// Where a deferral is noted, if the run can wait.
    deferral: Option<(Arc<Deferrals>, CallRequest)>,
}

impl Question {
    /// Waits for the decision. `Err` is the message that the program gets, unless the decision was deferred.
    pub(super) async fn answer(self) -> Result<(), String> {
        let answer = self.asked.await;
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        let message = match (answer, self.deferral) {
            (Decision::Allow, _) => {
                record.approval(self.call, ApprovalOutcome::Approved);
                return Ok(());
            }
            (Decision::Deny(message), _) => message,
            (Decision::Defer, Some((deferrals, request))) => {
                let reason = format!("the approval of {} was deferred", self.what);
                deferrals.state().deferred.insert(self.call, DeferredQuestion { request, what: self.what });
                return Err(reason);
            }
            (Decision::Defer, None) => "the decision was deferred, and this call cannot wait for it".into(),
        };
        record.approval(self.call, ApprovalOutcome::Refused);
        Err(refusal(&self.what, &message))
    }
}

/// The message that the program gets for a call that was not approved.
pub(super) fn refusal(what: &str, message: &str) -> String {
    format!("{what} was not approved: {message}")
}
