//! HTTP requests: budget, the request itself, the record.

mod account;
mod shown;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use isolette_abi::{
    encode,
    http::{HttpError, Request, Response},
};
use sha2::Digest as _;

use self::account::RunAccount;
use super::{Broker, Stop};
use crate::{
    capability::http,
    policy::{Breach, LimitName},
};

impl Broker {
    pub(super) fn http(&mut self, request: &Request<'_>) -> Result<Vec<u8>, Stop> {
        let body = self.take(request.body)?.into_owned();
        self.begin_request(request, &body);
        let redaction = Arc::clone(&self.record().recording.redaction);
        let began = Instant::now();
        let account = RunAccount {
            record: &self.record,
            limits: &self.limits,
            terms: &self.terms,
            deadline: &self.deadline,
            redaction: &redaction,
            headers: &request.headers,
            began,
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
        let exchange = self.capabilities.http.send(asked, self.deadline.at(), &account);
        let result = self.wait(tracing::Instrument::instrument(exchange, span));
        {
            let mut record = self.record();
            let waited = std::mem::take(&mut record.http_waited);
            record.http_time += began.elapsed().saturating_sub(waited);
        }
        let mut result = result?;
        if result.is_err() {
            // What ended it may have been the end of the run.
            self.deadline.check()?;
        }
        let (verdict, bytes_in) = match &result {
            Ok(response) => ("ok", response.body.len() as u64),
            Err(error) => (shown::verdict(error), 0),
        };
        {
            let mut record = self.record();
            if result.as_ref().is_ok_and(|response| response.truncated) {
                record.reached(Breach::new(LimitName::HttpBody, self.limits.http_body, bytes_in.saturating_add(1)));
            }
            record.end_call(verdict, bytes_in);
        }
        Ok(self.encode_response(&mut result))
    }

    fn begin_request(&self, request: &Request<'_>, body: &[u8]) {
        let mut record = self.record();
        record.begin_call(&self.limits, "http", request.method, &shown::without_query(request.url), body.len());
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

    fn encode_response(&mut self, result: &mut Result<http::Response, HttpError>) -> Vec<u8> {
        let response = match result {
            Ok(response) => response,
            Err(error) => return encode::<Result<Response<'_>, _>>(&Err(error)),
        };
        let length = response.body.len() as u64;
        match self.transfers.hand_over(&mut response.body) {
            Ok(body) => encode::<Result<_, HttpError>>(&Ok(Response {
                status: response.status,
                url: &response.url,
                headers: response.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
                body,
                truncated: response.truncated,
            })),
            Err(room) => {
                self.no_room(length, room);
                encode::<Result<Response<'_>, _>>(&Err(HttpError::Budget(format!(
                    "the response is longer than what the host keeps for a run ({room} bytes left)\n\
                     hint: ask for less at a time"
                ))))
            }
        }
    }
}
