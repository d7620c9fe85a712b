//! HTTP requests. Policy, budgets and approver decide about each hop of a redirect ([`hooks`]), so most steps of the
//! call do nothing here.

mod hooks;
mod shown;

use std::{sync::Arc, time::Duration};

use isolette_abi::{
    Payload, encode,
    http::{HttpError, Request, Response},
    tickets::Submitted,
};
use isolette_http as http;
use isolette_policy::Limits;
use isolette_types::{CapabilityKind, LimitHit, LimitName};
use sha2::Digest as _;

use self::hooks::RunHooks;
use super::{
    Broker, Record, Scope, Stop,
    guard::{Agreed, GuardedCall, HandedOver, Output, Performed, Submittable},
    in_flight::Turn,
    open_call::CallNumber,
};
use crate::{capabilities::Capabilities, recording};

impl Broker {
    pub(super) fn http(&mut self, request: &Request<'_>) -> Result<Vec<u8>, Stop> {
        let call = self.http_call(request, None)?;
        self.guard_or_pause(&call)
    }

    /// The call for a request of the guest. With a `turn`, it waits for that before it sends anything.
    pub(super) fn http_call(&mut self, request: &Request<'_>, turn: Option<Turn>) -> Result<HttpCall, Stop> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Ok(HttpCall {
            capabilities: Arc::clone(&self.scope.capabilities),
            method: request.method.to_owned(),
            url: request.url.to_owned(),
            headers: request.headers.iter().map(owned).collect(),
            body: self.take(request.body)?.into_owned().into(),
            timeout: request.timeout.map(Duration::from_nanos),
            redirects: request.redirects,
            line: request.line,
            turn,
        })
    }
}

pub(super) struct HttpCall {
    capabilities: Arc<Capabilities>,
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: bytes::Bytes,
    timeout: Option<Duration>,
    redirects: u32,
    /// The line of the program; 0 if it is not known.
    line: u32,
    turn: Option<Turn>,
}

impl Output for http::Response {
    fn bytes(&self) -> &[u8] {
        &self.body
    }

    fn long(&mut self) -> Option<&mut Vec<u8>> {
        Some(&mut self.body)
    }
}

impl GuardedCall for HttpCall {
    type Checked = ();
    type Output = http::Response;
    type Error = HttpError;

    fn begin(&self, record: &mut Record, limits: &Limits) -> CallNumber {
        let Self { method, url, headers, body, .. } = self;
        let call = record.begin_call(limits, CapabilityKind::Http, method, &shown::without_query(url), body.len());
        record.line(call, self.line);
        record.digest(call, |hasher| {
            hasher.update(url);
            hasher.update("\n");
            for (name, value) in headers {
                hasher.update(format!("{name}: {value}\n"));
            }
            hasher.update(body);
        });
        let length = headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
        record.arguments(call, length + url.len() + body.len(), || shown::arguments(url, headers, body));
        call
    }

    fn check(&self, _: CallNumber, _: &Scope) -> Result<Result<(), HttpError>, Stop> {
        Ok(Ok(()))
    }

    fn agree(&self, _: CallNumber, (): &(), _: &Scope) -> Result<Agreed, Stop> {
        Ok(Ok(None))
    }

    fn perform<'a>(
        &'a self,
        call: CallNumber,
        (): (),
        scope: &'a Scope,
    ) -> Performed<'a, Result<http::Response, HttpError>> {
        let span = scope.record().span(call);
        Performed::Later(Box::pin(tracing::Instrument::instrument(self.send(call, scope), span)))
    }

    fn no_room(&self, room: u64) -> HttpError {
        HttpError::Budget(format!(
            "the response is longer than what the host keeps for a run ({room} bytes left)\n\
             hint: ask for less at a time"
        ))
    }
}

impl Submittable for HttpCall {
    fn turn(&self) -> Option<&Turn> {
        self.turn.as_ref()
    }

    fn submitted(&self) -> Vec<u8> {
        encode(&Submitted::Http(Request {
            method: &self.method,
            url: &self.url,
            headers: self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
            body: Payload::Inline(&self.body),
            timeout: self.timeout.map(|timeout| u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX)),
            redirects: self.redirects,
            line: self.line,
        }))
    }

    fn reply(result: &Result<HandedOver<http::Response>, HttpError>) -> Vec<u8> {
        match result {
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
        }
    }
}

impl HttpCall {
    pub(super) fn body_length(&self) -> usize {
        self.body.len()
    }

    async fn send(&self, call: CallNumber, scope: &Scope) -> Result<http::Response, HttpError> {
        let headers: Vec<_> = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let hooks = RunHooks::new(scope, call, &headers, self.turn.clone());
        let request = http::Request {
            method: &self.method,
            url: &self.url,
            headers: &headers,
            body: self.body.clone(),
            timeout: self.timeout,
            redirects: self.redirects,
        };
        let sending = self.capabilities.http.send(request, scope.deadline.at(), &hooks);
        let result = match &scope.oversight.recording {
            Some(_) => recording::request(sending).await,
            None => sending.await,
        };
        if let Ok(response) = &result
            && response.truncated
        {
            let used = (response.body.len() as u64).saturating_add(1);
            scope.record().reached(LimitHit::new(LimitName::HttpBody, scope.limits().http_body, used));
        }
        result
    }
}
