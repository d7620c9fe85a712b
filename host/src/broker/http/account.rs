//! The run's side of one request: what it may use, and what is put on record of it.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::shown;
use crate::{
    Redaction,
    broker::{Deadline, Record, Terms},
    capability::http::{Account, Agreement, Hop, HttpError, Room, Total},
    policy::{Breach, CallRequest, LimitName, Limits, Need, network::Permit},
};

/// Of the one request that is under way in a run.
pub(super) struct RunAccount<'a> {
    pub(super) record: &'a Arc<Mutex<Record>>,
    pub(super) limits: &'a Limits,
    pub(super) terms: &'a Terms,
    pub(super) deadline: &'a Deadline,
    /// A redirect may carry what its server was sent.
    pub(super) redaction: &'a Redaction,
    /// Those that the program has set.
    pub(super) headers: &'a [(&'a str, &'a str)],
    pub(super) began: Instant,
}

impl RunAccount<'_> {
    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn target(&self, hop: &Hop<'_>) -> String {
        self.redaction.text(&shown::without_query(hop.url.as_str()))
    }

    /// Every hop of a redirect is a request of its own, and so is whatever is sent again.
    fn count_request(&self) -> Result<(), HttpError> {
        let (used, limit) = {
            let mut record = self.record();
            record.usage.http_requests += 1;
            (record.usage.http_requests, self.limits.http_requests)
        };
        if used > limit {
            self.reached(Breach::new(LimitName::HttpRequests, limit, used));
            return Err(HttpError::Budget(format!(
                "this run may send {limit} requests and has done so\nhint: ask for more with each request"
            )));
        }
        self.terms.charge_http_request().map_err(HttpError::Budget)
    }
}

impl Account for RunAccount<'_> {
    fn sends(&self, hop: &Hop<'_>, permit: &Permit<'_>) -> Result<Option<Agreement>, HttpError> {
        let target = self.target(hop);
        tracing::debug!(method = hop.method, url = target, rule = %permit, "request");
        self.record().begin_hop(hop.method, &target, Some(permit.to_string()));
        let room = self.room();
        if hop.body.len() as u64 >= room.bytes {
            let mut record = self.record();
            let (limit, used) = (self.limits.http_total_bytes, record.http_bytes);
            record.reached(Breach::new(LimitName::HttpTotalBytes, limit, used.saturating_add(hop.body.len() as u64)));
            return Err(bytes_are_used(limit, used));
        }
        if room.time.is_zero() {
            return Err(self.exhausted(Total::Time));
        }
        self.count_request()?;
        let others = hop.overrides.iter().map(|other| self.terms.approval.of_request(&other.method, &other.url));
        let need = others.fold(self.terms.approval.of_request(hop.method, hop.url), Need::stricter);
        let what = || format!("{} {target}", hop.method);
        let request = || CallRequest {
            capability: "http",
            operation: hop.method.to_owned(),
            target: self.redaction.text(hop.url.as_str()),
            arguments: self.redaction.value(shown::question(hop, self.headers)),
            rule: Some(permit.to_string()),
            reason: String::new(),
        };
        // The time of checks is the embedder's, not the program's.
        let question = self.deadline.cpu().exclude(|| self.terms.question(need, self.record, what, request));
        let question = question.map_err(HttpError::Denied)?;
        in_time(self.deadline)?;
        let deadline = self.deadline.clone();
        Ok(question.map(|question| -> Agreement {
            Box::pin(async move {
                question.answer().await.map_err(HttpError::Denied)?;
                in_time(&deadline)
            })
        }))
    }

    fn refused(&self, hop: &Hop<'_>) {
        self.record().begin_hop(hop.method, &self.target(hop), None);
    }

    fn repeats(&self) -> Result<(), HttpError> {
        self.record().repeat_hop();
        self.count_request()
    }

    fn waited(&self, time: Duration) {
        let mut record = self.record();
        record.http_waited = record.http_waited.saturating_add(time);
    }

    fn room(&self) -> Room {
        let record = self.record();
        Room {
            bytes: self.limits.http_total_bytes.saturating_sub(record.http_bytes),
            time: self.limits.http_total_time.saturating_sub(record.http_time),
        }
    }

    fn flowed(&self, bytes: u64) {
        let mut record = self.record();
        record.http_bytes = record.http_bytes.saturating_add(bytes);
    }

    fn exhausted(&self, total: Total) -> HttpError {
        let mut record = self.record();
        match total {
            Total::Bytes => {
                let (limit, used) = (self.limits.http_total_bytes, record.http_bytes);
                record.reached(Breach::new(LimitName::HttpTotalBytes, limit, used.saturating_add(1)));
                bytes_are_used(limit, used)
            }
            Total::Time => {
                let (limit, waited) = (self.limits.http_total_time, record.http_waited);
                let used = record.http_time.saturating_add(self.began.elapsed().saturating_sub(waited));
                let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
                record.reached(Breach::new(LimitName::HttpTotalTime, milliseconds(limit), milliseconds(used)));
                HttpError::Budget(format!(
                    "this run's requests may take {limit:?} together, and have taken {used:.1?}\nhint: send fewer"
                ))
            }
        }
    }

    fn reached(&self, breach: Breach) {
        self.record().reached(breach);
    }
}

/// Whoever decides may take longer than the run may last, and nothing happens after that.
fn in_time(deadline: &Deadline) -> Result<(), HttpError> {
    deadline.check().map_err(|stop| HttpError::Timeout(stop.to_string()))
}

fn bytes_are_used(limit: u64, used: u64) -> HttpError {
    HttpError::Budget(format!(
        "this run's requests may send and receive {limit} bytes together, and have used {used}\n\
         hint: ask for less, or raise `limits.http_total_bytes` in the policy"
    ))
}
