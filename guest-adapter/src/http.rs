//! `isolette:sandbox/http`: requests that the host makes.

use isolette_abi::{
    Call,
    http::{HttpError, Request, Response},
};

use crate::{
    Component,
    bindings::exports::isolette::sandbox::http as wit,
    state::{self, State},
    tools::NO_RUN,
};

impl State {
    fn send(&mut self, request: &wit::Request) -> Result<wit::Response, HttpError> {
        if !self.wall.live() {
            return Err(HttpError::Denied(NO_RUN.into()));
        }
        self.console.flush(&mut self.wall);
        let headers: Vec<(&str, &str)> = request.headers.iter().map(|(name, value)| (&**name, &**value)).collect();
        // A length is at most three bytes in a message of this size.
        let fields: usize = headers.iter().map(|(name, value)| name.len() + value.len() + 6).sum();
        let beside = fields + request.method.len() + request.url.len();
        let Some(body) = self.wall.payload(&request.body, beside) else {
            return Err(HttpError::TooLarge(format!(
                "the body is {} bytes long, more than the host keeps for one run",
                request.body.len()
            )));
        };
        let reply = self.wall.try_ask(&Call::Http(Request {
            method: &request.method,
            url: &request.url,
            headers,
            body,
            timeout: request.timeout,
            redirects: request.redirects,
        }));
        self.wall.release(body);
        let reply = reply.map_err(|_| {
            HttpError::TooLarge(format!("the method, the URL and the headers are {beside} bytes long together"))
        })?;
        let response = reply.read::<Result<Response<'_>, HttpError>>()?;
        let headers = response.headers.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Ok(wit::Response {
            status: response.status,
            url: response.url.into(),
            headers: headers.collect(),
            body: self.wall.fetch(response.body),
            truncated: response.truncated,
        })
    }
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
}
