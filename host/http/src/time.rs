//! The time limit of a request, and the error for each reason why it ends.

use std::time::{Duration, Instant};

use isolette_abi::http::HttpError;
use tokio::time::timeout_at;
use url::Url;

use super::{HttpLimits, Request, Total, hooks::RequestHooks};
use isolette_types::{LimitHit, LimitName};

pub(super) struct Time<'a> {
    began: Instant,
    end: Instant,
    deadline: Instant,
    reason: Reason,
    /// The method and the origin, for messages.
    what: String,
    hooks: &'a dyn RequestHooks,
}

enum Reason {
    Run,
    Request(Duration),
    Limit(Duration),
    Total,
}

impl<'a> Time<'a> {
    pub(super) fn of(
        request: &Request<'_>,
        limits: &HttpLimits,
        deadline: Instant,
        hooks: &'a dyn RequestHooks,
    ) -> Self {
        let began = Instant::now();
        let (mut time, mut reason) = match request.timeout {
            Some(timeout) if timeout < limits.time_per_request => (timeout, Reason::Request(timeout)),
            _ => (limits.time_per_request, Reason::Limit(limits.time_per_request)),
        };
        let remaining = hooks.remaining().time;
        if remaining < time {
            (time, reason) = (remaining, Reason::Total);
        }
        // A limit past the end of the clock is replaced by the run's deadline.
        let (end, reason) = match began.checked_add(time) {
            Some(end) if end < deadline => (end, reason),
            _ => (deadline, Reason::Run),
        };
        let place = Url::parse(request.url).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
        Self { began, end, deadline, reason, what: format!("{} {place}", request.method), hooks }
    }

    /// Extends the limit by time spent waiting for an approver, at most to the run's deadline.
    pub(super) fn extend(&mut self, time: Duration) {
        self.end = self.end.checked_add(time).map_or(self.deadline, |end| end.min(self.deadline));
    }

    pub(super) fn check(&self) -> Result<(), HttpError> {
        if Instant::now() < self.end { Ok(()) } else { Err(self.over()) }
    }

    pub(super) async fn bound<F: Future>(&self, step: F) -> Result<F::Output, HttpError> {
        timeout_at(self.end.into(), step).await.map_err(|_| self.over())
    }

    /// The error of a request whose time is over.
    pub(super) fn over(&self) -> HttpError {
        let what = &self.what;
        HttpError::Timeout(match self.reason {
            Reason::Run => format!("{what}: the time of the run is over"),
            Reason::Request(time) => format!("{what}: no whole response within the timeout of {time:?}"),
            Reason::Limit(time) => {
                let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
                let used = milliseconds(self.began.elapsed());
                self.hooks.limit_reached(LimitHit::new(LimitName::HttpRequestTime, milliseconds(time), used));
                format!(
                    "{what}: no whole response within {time:?}, the limit for one request\n\
                     hint: ask for less at a time, or raise `limits.http_request_time` in the policy"
                )
            }
            Reason::Total => return self.hooks.exhausted(Total::Time),
        })
    }
}
