//! HTTP requests: budget, the request itself, the record.

use std::{
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use isolette_abi::{
    encode,
    http::{HttpError, Request, Response},
};
use serde_json::{Value, json};
use sha2::Digest as _;

use super::{Broker, Stop};
use crate::{
    REDACTED,
    capability::http::{self, Agreement, Hop},
    policy::{Breach, CallRequest, LimitName},
};

impl Broker {
    pub(super) fn http(&mut self, request: &Request<'_>) -> Result<Vec<u8>, Stop> {
        let body = self.take(request.body)?.into_owned();
        self.begin_request(request, &body);
        if let Some(error) = self.spent(body.len()) {
            self.record().end_call("budget", 0);
            return Ok(encode::<Result<Response<'_>, _>>(&Err(error)));
        }
        let limits = &self.limits;
        let record = &self.record;
        let terms = &self.terms;
        let body_bytes = body.len();
        // A redirect may carry what its server was sent.
        let redaction = Arc::clone(&self.record().recording.redaction);
        // Every hop of a redirect is a request of its own.
        let mut observe = |hop: &Hop<'_>| {
            tracing::debug!(method = hop.method, url = redaction.text(&without_query(hop.url.as_str())), rule = %hop.permit, "request");
            {
                let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
                record.rule(hop.permit);
                record.usage.http_requests += 1;
                if record.usage.http_requests > limits.http_requests {
                    let used = record.usage.http_requests;
                    record.reached(Breach::new(LimitName::HttpRequests, limits.http_requests, used));
                    return Err(HttpError::Budget(format!(
                        "this run may send {} requests and has done so\nhint: ask for more with each request",
                        limits.http_requests
                    )));
                }
            }
            terms.charge_http_request().map_err(HttpError::Budget)?;
            let need = terms.approval.of_request(hop.method, hop.url);
            let what = || redaction.text(&format!("{} {}", hop.method, without_query(hop.url.as_str())));
            let question = terms.question(need, record, what, || CallRequest {
                capability: "http",
                operation: hop.method.to_owned(),
                target: redaction.text(hop.url.as_str()),
                arguments: json!({ "body_bytes": body_bytes }),
                rule: Some(hop.permit.to_string()),
                reason: String::new(),
            });
            let question = question.map_err(HttpError::Denied)?;
            Ok(question.map(|question| -> Agreement {
                Box::pin(async move { question.answer().await.map_err(HttpError::Denied) })
            }))
        };
        let asked = http::Request {
            method: request.method,
            url: request.url,
            headers: &request.headers,
            body: body.into(),
            timeout: request.timeout.map(Duration::from_nanos),
            redirects: request.redirects,
        };
        let span = self.record().span();
        let exchange = self.capabilities.http.send(asked, self.deadline.at(), &mut observe);
        let began = Instant::now();
        let result = self.wait(tracing::Instrument::instrument(exchange, span));
        self.record().http_time += began.elapsed();
        let mut result = result?;
        let (verdict, bytes_in) = match &result {
            Ok(response) => ("ok", response.body.len() as u64),
            Err(error) => (verdict(error), 0),
        };
        {
            let mut record = self.record();
            record.http_bytes = record.http_bytes.saturating_add(bytes_in).saturating_add(body_bytes as u64);
            match &result {
                Ok(response) if response.truncated => {
                    record.reached(Breach::new(LimitName::HttpBody, self.limits.http_body, bytes_in.saturating_add(1)));
                }
                Err(HttpError::TooLarge(_)) if body_bytes as u64 > self.limits.http_body => {
                    record.reached(Breach::new(LimitName::HttpBody, self.limits.http_body, body_bytes as u64));
                }
                _ => {}
            }
            record.end_call(verdict, bytes_in);
        }
        Ok(self.encode_response(&mut result))
    }

    fn begin_request(&self, request: &Request<'_>, body: &[u8]) {
        let mut record = self.record();
        record.begin_call(&self.limits, "http", request.method, &without_query(request.url), body.len());
        record.digest(|hasher| {
            hasher.update(request.url);
            hasher.update("\n");
            for (name, value) in &request.headers {
                hasher.update(format!("{name}: {value}\n"));
            }
            hasher.update(body);
        });
        let length = request.headers.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
        record.arguments(length + request.url.len() + body.len(), || arguments(request, body));
    }

    /// What all requests of the run may use together, if that is used up.
    fn spent(&self, body: usize) -> Option<HttpError> {
        let mut record = self.record();
        let (bytes, time) = (record.http_bytes.saturating_add(body as u64), record.http_time);
        let (most_bytes, most_time) = (self.limits.http_total_bytes, self.limits.http_total_time);
        if bytes >= most_bytes {
            record.reached(Breach::new(LimitName::HttpTotalBytes, most_bytes, bytes));
            return Some(HttpError::Budget(format!(
                "the bodies of this run's requests may have {most_bytes} bytes together, and have {bytes}\nhint: ask for less"
            )));
        }
        if time >= most_time {
            let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            record.reached(Breach::new(LimitName::HttpTotalTime, milliseconds(most_time), milliseconds(time)));
            return Some(HttpError::Budget(format!(
                "this run's requests may take {most_time:?} together, and have taken {time:.1?}\nhint: send fewer"
            )));
        }
        None
    }

    fn encode_response(&mut self, result: &mut Result<http::Response, HttpError>) -> Vec<u8> {
        let response = match result {
            Ok(response) => response,
            Err(error) => return encode::<Result<Response<'_>, _>>(&Err(error)),
        };
        match self.transfers.hand_over(&mut response.body) {
            Ok(body) => encode::<Result<_, HttpError>>(&Ok(Response {
                status: response.status,
                url: &response.url,
                headers: response.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
                body,
                truncated: response.truncated,
            })),
            Err(room) => encode::<Result<Response<'_>, _>>(&Err(HttpError::Budget(format!(
                "the response is longer than what the host keeps for a run ({room} bytes left)\nhint: ask for less at a time"
            )))),
        }
    }
}

/// Headers that hold what their sender proves itself by.
const CREDENTIALS: [&str; 3] = ["authorization", "cookie", "proxy-authorization"];

/// A request as it is put on record. What a program proves itself by is not for everybody who reads that.
fn arguments(request: &Request<'_>, body: &[u8]) -> Value {
    let headers = request.headers.iter().map(|(name, value)| {
        let proof = CREDENTIALS.iter().any(|credentials| credentials.eq_ignore_ascii_case(name));
        json!([name, if proof { REDACTED } else { value }])
    });
    json!({
        "url": request.url,
        "headers": headers.collect::<Vec<_>>(),
        "body": String::from_utf8_lossy(body),
    })
}

fn verdict(error: &HttpError) -> &'static str {
    match error {
        HttpError::Denied(_) => "denied",
        HttpError::Dns(_) => "dns",
        HttpError::Connect(_) => "connect",
        HttpError::Tls(_) => "tls",
        HttpError::Timeout(_) => "timeout",
        HttpError::TooLarge(_) => "too-large",
        HttpError::Protocol(_) => "protocol",
        HttpError::Budget(_) => "budget",
    }
}

/// A query and the credentials before a host may be secret.
fn without_query(url: &str) -> String {
    match url::Url::parse(url) {
        Ok(mut url) => {
            url.set_query(None);
            url.set_fragment(None);
            // Only URLs that cannot have credentials refuse to lose them.
            let _ = url.set_username("").and_then(|()| url.set_password(None));
            url.into()
        }
        Err(_) => url.split(['?', '#', '@']).next().unwrap_or_default().to_owned(),
    }
}
