//! HTTP requests. Policy, budgets and approver decide about each hop of a redirect ([`hooks`]), so most steps of the
//! call do nothing here.

mod hooks;
mod shown;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use isolette_abi::{
    encode,
    http::{HttpError, Request, Response},
};
use isolette_http::{self as http, Http};
use isolette_policy::Limits;
use isolette_types::{CapabilityKind, LimitHit, LimitName};
use sha2::Digest as _;

use self::hooks::RunHooks;
use super::{
    Broker, Record, Stop,
    guard::{GuardedCall, Output},
};

impl Broker {
    pub(super) fn http(&mut self, request: &Request<'_>) -> Result<Vec<u8>, Stop> {
        let body = self.take(request.body)?.into_owned();
        let capabilities = Arc::clone(&self.capabilities);
        let call = HttpCall { http: &capabilities.http, request, body: body.into() };
        let result = self.guard(&call)?;
        Ok(match &result {
            Err(error) => encode::<Result<Response<'_>, _>>(&Err(error)),
            Ok(handed_over) => {
                let response = &handed_over.output;
                encode::<Result<_, HttpError>>(&Ok(Response {
                    status: response.status,
                    url: &response.url,
                    headers: response.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
                    body: handed_over.payload(),
                    truncated: response.truncated,
                }))
            }
        })
    }
}

struct HttpCall<'a> {
    http: &'a Http,
    request: &'a Request<'a>,
    body: bytes::Bytes,
}

impl Output for http::Response {
    fn bytes(&self) -> &[u8] {
        &self.body
    }

    fn long(&mut self) -> Option<&mut Vec<u8>> {
        Some(&mut self.body)
    }
}

impl GuardedCall for HttpCall<'_> {
    type Checked = ();
    type Output = http::Response;
    type Error = HttpError;

    fn begin(&self, record: &mut Record, limits: &Limits) {
        let Self { request, body, .. } = self;
        let target = shown::without_query(request.url);
        record.begin_call(limits, CapabilityKind::Http, request.method, &target, body.len());
        record.digest(|hasher| {
            hasher.update(request.url);
            hasher.update("\n");
            for (name, value) in &request.headers {
                hasher.update(format!("{name}: {value}\n"));
            }
            hasher.update(body);
        });
        let length = request.headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
        record.arguments(length + request.url.len() + body.len(), || shown::arguments(request, body));
    }

    fn check(&self, _: &Broker) -> Result<Result<(), HttpError>, Stop> {
        Ok(Ok(()))
    }

    fn agree(&self, (): &(), _: &Broker) -> Result<Result<(), String>, Stop> {
        Ok(Ok(()))
    }

    fn perform(&self, (): (), broker: &Broker) -> Result<Result<http::Response, HttpError>, Stop> {
        let request = self.request;
        let redaction = Arc::clone(&broker.oversight.redaction);
        let began = Instant::now();
        let hooks = RunHooks {
            record: &broker.record,
            policy: &broker.policy,
            oversight: &broker.oversight,
            deadline: &broker.deadline,
            redaction: &redaction,
            headers: &request.headers,
            began,
        };
        let asked = http::Request {
            method: request.method,
            url: request.url,
            headers: &request.headers,
            body: self.body.clone(),
            timeout: request.timeout.map(Duration::from_nanos),
            redirects: request.redirects,
        };
        let span = broker.record().span();
        let exchange = self.http.send(asked, broker.deadline.at(), &hooks);
        let result = broker.wait(tracing::Instrument::instrument(exchange, span));
        {
            let mut record = broker.record();
            let waited = std::mem::take(&mut record.http_waited);
            record.http_time += began.elapsed().saturating_sub(waited);
        }
        let result = result?;
        match &result {
            // The request may have failed because the run has ended.
            Err(_) => broker.deadline.check()?,
            Ok(response) if response.truncated => {
                let used = (response.body.len() as u64).saturating_add(1);
                broker.record().reached(LimitHit::new(LimitName::HttpBody, broker.limits().http_body, used));
            }
            Ok(_) => {}
        }
        Ok(result)
    }

    fn no_room(&self, room: u64) -> HttpError {
        HttpError::Budget(format!(
            "the response is longer than what the host keeps for a run ({room} bytes left)\n\
             hint: ask for less at a time"
        ))
    }
}
