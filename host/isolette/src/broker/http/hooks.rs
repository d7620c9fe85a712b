//! The hooks of one HTTP request: limits, budgets, approval, and the record.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::shown;
use crate::broker::{Record, Scope, decisions::Asking, in_flight::Turn, open_call::CallNumber};
use isolette_deadline::{Deadline, Stop};
use isolette_http::{Agreement, Hop, HttpError, RequestHooks, Room, Total};
use isolette_policy::{CallRequest, Need, network::Permit};
use isolette_types::{CapabilityKind, LimitHit, LimitName};

/// The hooks for one request of a run.
pub(super) struct RunHooks<'a> {
    scope: &'a Scope,
    call: CallNumber,
    /// The headers that the program has set.
    headers: &'a [(&'a str, &'a str)],
    /// Awaited before the first request is sent.
    turn: Option<Turn>,
    began: Instant,
    /// Time that the request waited for approval and for its turn, which does not count towards its time limit.
    waited: Mutex<Duration>,
}

impl<'a> RunHooks<'a> {
    pub(super) fn new(
        scope: &'a Scope,
        call: CallNumber,
        headers: &'a [(&'a str, &'a str)],
        turn: Option<Turn>,
    ) -> Self {
        Self { scope, call, headers, turn, began: Instant::now(), waited: Mutex::default() }
    }

    fn record(&self) -> MutexGuard<'_, Record> {
        self.scope.record()
    }

    /// The URL of a redirect may contain secrets that its server was sent.
    fn target(&self, hop: &Hop<'_>) -> String {
        self.scope.oversight.redaction.text(&shown::without_query(hop.url.as_str()))
    }

    /// The time that the request has taken so far.
    fn taken(&self) -> Duration {
        let waited = *self.waited.lock().unwrap_or_else(PoisonError::into_inner);
        self.began.elapsed().saturating_sub(waited)
    }

    /// Counts one request. Each hop of a redirect and each repetition is counted.
    fn count_request(&self) -> Result<(), HttpError> {
        let (used, limit) = {
            let mut record = self.record();
            record.usage.http_requests += 1;
            (record.usage.http_requests, self.scope.policy.limits.http_requests)
        };
        if used > limit {
            self.limit_reached(LimitHit::new(LimitName::HttpRequests, limit, used));
            return Err(HttpError::Budget(format!(
                "this run may send {limit} requests and has done so\nhint: ask for more with each request"
            )));
        }
        self.scope.oversight.charge_http_request().map_err(HttpError::Budget)
    }
}

/// The time of a request counts, however the request ends.
impl Drop for RunHooks<'_> {
    fn drop(&mut self) {
        let taken = self.taken();
        self.record().http_time += taken;
    }
}

impl RequestHooks for RunHooks<'_> {
    fn before_send(&self, hop: &Hop<'_>, permit: &Permit<'_>) -> Result<Option<Agreement>, HttpError> {
        let target = self.target(hop);
        tracing::debug!(method = hop.method, url = target, rule = %permit, "request");
        // The requests before a redirect have been sent, and are not sent again.
        let asking = if hop.redirects == 0 { self.scope.asking(self.call) } else { Asking::ForNow };
        let is_approved = matches!(asking, Asking::Approved);
        {
            let mut record = self.record();
            if is_approved {
                record.forget_hops(self.call);
            }
            record.begin_hop(self.call, hop.method, &target, Some(permit.to_string()));
        }
        let room = self.remaining();
        if hop.body.len() as u64 >= room.bytes {
            let mut record = self.record();
            let (limit, used) = (self.scope.policy.limits.http_total_bytes, record.http_bytes);
            record.reached(LimitHit::new(LimitName::HttpTotalBytes, limit, used.saturating_add(hop.body.len() as u64)));
            return Err(bytes_are_used(limit, used));
        }
        if room.time.is_zero() {
            return Err(self.exhausted(Total::Time));
        }
        let turn = self.turn.clone().filter(|_| hop.redirects == 0);
        // A request that is made after its approval was counted before it.
        if !is_approved {
            self.count_request()?;
        }
        let others = hop.overrides.iter().map(|other| self.scope.policy.approval.of_request(&other.method, &other.url));
        let need = others.fold(self.scope.policy.approval.of_request(hop.method, hop.url), Need::stricter);
        let what = || format!("{} {target}", hop.method);
        let request = || {
            let redaction = &self.scope.oversight.redaction;
            let arguments = redaction.value(shown::question(hop, self.headers));
            CallRequest::new(CapabilityKind::Http, hop.method, redaction.text(hop.url.as_str()), arguments)
                .rule(Some(permit.to_string()))
        };
        let agreed = self.scope.agree((self.call, asking), need, what, request).map_err(too_late)?;
        let question = agreed.map_err(HttpError::Denied)?;
        if question.is_none() && turn.is_none() {
            return Ok(None);
        }
        let deadline = self.scope.deadline.clone();
        Ok(Some(Box::pin(async move {
            if let Some(question) = question {
                question.answer().await.map_err(HttpError::Denied)?;
                in_time(&deadline)?;
            }
            if let Some(turn) = turn {
                turn.taken().await;
            }
            Ok(())
        })))
    }

    fn refused(&self, hop: &Hop<'_>) {
        self.record().begin_hop(self.call, hop.method, &self.target(hop), None);
    }

    fn before_repeat(&self) -> Result<(), HttpError> {
        self.record().repeat_hop(self.call);
        self.count_request()
    }

    fn waited(&self, time: Duration) {
        let mut waited = self.waited.lock().unwrap_or_else(PoisonError::into_inner);
        *waited = waited.saturating_add(time);
    }

    fn remaining(&self) -> Room {
        let record = self.record();
        Room {
            bytes: self.scope.policy.limits.http_total_bytes.saturating_sub(record.http_bytes),
            time: self.scope.policy.limits.http_total_time.saturating_sub(record.http_time),
        }
    }

    fn transferred(&self, bytes: u64) {
        let mut record = self.record();
        record.http_bytes = record.http_bytes.saturating_add(bytes);
    }

    fn exhausted(&self, total: Total) -> HttpError {
        let mut record = self.record();
        match total {
            Total::Bytes => {
                let (limit, used) = (self.scope.policy.limits.http_total_bytes, record.http_bytes);
                record.reached(LimitHit::new(LimitName::HttpTotalBytes, limit, used.saturating_add(1)));
                bytes_are_used(limit, used)
            }
            Total::Time => {
                let limit = self.scope.policy.limits.http_total_time;
                let used = record.http_time.saturating_add(self.taken());
                let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
                record.reached(LimitHit::new(LimitName::HttpTotalTime, milliseconds(limit), milliseconds(used)));
                HttpError::Budget(format!(
                    "this run's requests may take {limit:?} together, and have taken {used:.1?}\nhint: send fewer"
                ))
            }
        }
    }

    fn limit_reached(&self, limit_hit: LimitHit) {
        self.record().reached(limit_hit);
    }
}

/// Fails if the deadline has passed: the approver may take longer than the run may last, and then no request is sent.
fn in_time(deadline: &Deadline) -> Result<(), HttpError> {
    deadline.check().map_err(too_late)
}

fn too_late(stop: Stop) -> HttpError {
    HttpError::Timeout(stop.to_string())
}

fn bytes_are_used(limit: u64, used: u64) -> HttpError {
    HttpError::Budget(format!(
        "this run's requests may send and receive {limit} bytes together, and have used {used}\n\
         hint: ask for less, or raise `limits.http_total_bytes` in the policy"
    ))
}
