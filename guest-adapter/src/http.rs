//! `isolette:sandbox/http`: requests that the host sends.

use isolette_abi::{
    Call,
    http::{HttpError, Request, Response},
};

use crate::{
    Component,
    bindings::exports::isolette::sandbox::http as wit,
    host_calls::Reply,
    state::{self, State},
    submissions::OwnedCall,
    tools::{NO_REPLY, NO_RUN},
};

impl State {
    fn send(&mut self, request: &wit::Request) -> Result<wit::Response, HttpError> {
        if !self.calls.is_running() {
            return Err(HttpError::Denied(NO_RUN.into()));
        }
        self.console.flush(&mut self.calls);
        let headers: Vec<(&str, &str)> = request.headers.iter().map(|(name, value)| (&**name, &**value)).collect();
        // The length takes at most three bytes in a message of this size.
        let fields: usize = headers.iter().map(|(name, value)| name.len() + value.len() + 6).sum();
        let beside = fields + request.method.len() + request.url.len();
        let Some(body) = self.calls.payload(&request.body, beside) else {
            return Err(body_too_long(request.body.len()));
        };
        let asked = self.calls.try_call(&Call::Http(Request {
            method: &request.method,
            url: &request.url,
            headers,
            body,
            timeout: request.timeout,
            redirects: request.redirects,
            line: self.calls.line,
        }));
        let Ok(reply) = asked else {
            self.calls.release(body);
            return Err(fields_too_long(beside));
        };
        self.response(&reply)
    }

    pub(crate) fn start_request(&mut self, request: wit::Request) -> u32 {
        let wit::Request { method, url, headers, body, timeout, redirects } = request;
        let fields: usize = headers.iter().map(|(name, value)| name.len() + value.len() + 6).sum();
        let (beside, length) = (fields + method.len() + url.len(), body.len());
        let call = match self.calls.is_running() {
            false => Err(HttpError::Denied(NO_RUN.into())),
            true => match self.calls.own_payload(body, beside) {
                Some(body) => {
                    let line = self.calls.line;
                    Ok(OwnedCall::Http { method, url, headers, body, timeout, redirects, line })
                }
                None => Err(body_too_long(length)),
            },
        };
        self.submit(call, || fields_too_long(beside))
    }

    pub(crate) fn finish_request(&mut self, ticket: u32) -> Result<wit::Response, HttpError> {
        match self.reply_of(ticket) {
            Some(reply) => self.response(&reply),
            None => Err(HttpError::Protocol(NO_REPLY.into())),
        }
    }

    fn response(&mut self, reply: &Reply) -> Result<wit::Response, HttpError> {
        let response = reply.read::<Result<Response<'_>, HttpError>>()?;
        let headers = response.headers.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Ok(wit::Response {
            status: response.status,
            url: response.url.into(),
            headers: headers.collect(),
            body: self.calls.fetch(response.body),
            truncated: response.truncated,
        })
    }
}

fn body_too_long(length: usize) -> HttpError {
    HttpError::TooLarge(format!("the body is {length} bytes long, more than the host keeps for one run"))
}

fn fields_too_long(length: usize) -> HttpError {
    HttpError::TooLarge(format!("the method, the URL and the headers are {length} bytes long together"))
}

impl From<HttpError> for wit::HttpError {
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::Denied(why) => Self::Denied(why),
            HttpError::Dns(why) => Self::Dns(why),
            HttpError::Connect(why) => Self::Connect(why),
            HttpError::Tls(why) => Self::Tls(why),
            HttpError::Timeout(why) => Self::Timeout(why),
            HttpError::TooLarge(why) => Self::TooLarge(why),
            HttpError::Protocol(why) => Self::Protocol(why),
            HttpError::Budget(why) => Self::Budget(why),
        }
    }
}

impl wit::Guest for Component {
    fn send(request: wit::Request) -> Result<wit::Response, wit::HttpError> {
        Ok(state::with(|state| state.send(&request))?)
    }

    fn start(request: wit::Request) -> u32 {
        state::with(|state| state.start_request(request))
    }

    fn finish(ticket: u32) -> Result<wit::Response, wit::HttpError> {
        Ok(state::with(|state| state.finish_request(ticket))?)
    }
}

#[cfg(test)]
mod tests {
    use isolette_abi::{CHUNK_LIMIT, MESSAGE_LIMIT};

    use super::*;
    use crate::testing::running;

    fn request(url: &str, body: usize) -> wit::Request {
        wit::Request {
            method: "POST".into(),
            url: url.into(),
            headers: vec![("X-A".into(), "1".into()), ("x-a".into(), "2".into())],
            body: vec![7; body],
            timeout: None,
            redirects: 0,
        }
    }

    #[test]
    fn bodies_of_any_length_go_there_and_back() {
        for length in [0, CHUNK_LIMIT, CHUNK_LIMIT + 1, 5 * CHUNK_LIMIT] {
            let (mut state, host) = running();
            host.0.borrow_mut().response_body = vec![9; length];
            let response = state.send(&request("http://a/", length)).expect("the host answers");
            assert_eq!(host.log(), [format!("POST http://a/ {length}")]);
            assert_eq!(response.body, vec![9; length]);
            let names: Vec<String> = response.headers.into_iter().map(|(name, value)| name + &value).collect();
            assert_eq!(names, ["X-A1", "x-a2"], "fields keep their case and their order");
            assert!(host.0.borrow().payloads.is_empty(), "what was stored is released");
        }
    }

    #[test]
    fn long_fields_leave_less_room_for_the_body() {
        let (mut state, host) = running();
        let url = format!("http://a/{}", "u".repeat(100 * 1024));
        assert!(state.send(&request(&url, CHUNK_LIMIT)).is_ok());
        assert!(host.0.borrow().payloads.is_empty());
        let url = format!("http://a/{}", "u".repeat(MESSAGE_LIMIT));
        assert!(matches!(state.send(&request(&url, 5)), Err(HttpError::TooLarge(_))));
        assert!(host.0.borrow().payloads.is_empty());
    }

    #[test]
    fn refusals_keep_their_sentence() {
        let (mut state, _host) = running();
        let error = state.send(&request("http://denied/", 0)).err();
        assert_eq!(error, Some(HttpError::Denied("by the rules".into())));
        let error = state.send(&request("http://a/", 11 * CHUNK_LIMIT)).err();
        assert!(matches!(error, Some(HttpError::TooLarge(_))), "{error:?}");
    }
}
