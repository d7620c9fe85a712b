//! Adds secrets to requests, and redacts them in responses.

use hyper::HeaderMap;
use isolette_abi::http::HttpError;

use super::{Response, message::Message, overrides::overrides};
use isolette_policy::{HeaderSecret, Redaction};

/// The secrets of a sandbox.
#[derive(Debug, Default)]
pub struct Secrets {
    secrets: Vec<HeaderSecret>,
    redaction: Redaction,
}

impl Secrets {
    /// Creates the set of these secrets. Each is added to the requests that match its rule.
    pub fn new(secrets: Vec<HeaderSecret>) -> Self {
        let redaction = Redaction::new(secrets.iter().map(|secret| secret.value().clone()));
        Self { secrets, redaction }
    }

    /// Returns the headers to add to a request that the policy has allowed. They replace those that the program has
    /// set. If several secrets use the same header, the first one is added. A request that a server may treat as
    /// another one gets only the secrets that are for that one too.
    pub(super) fn of(&self, message: &Message) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if self.secrets.is_empty() {
            return headers;
        }
        let Ok(overrides) = overrides(message) else { return headers };
        for secret in &self.secrets {
            let for_all = overrides.iter().all(|other| secret.header_for(&other.method, &other.url).is_some());
            if let Some((name, value)) = secret.header_for(message.method.as_str(), &message.url).filter(|_| for_all) {
                headers.entry(name).or_insert(value);
            }
        }
        headers
    }

    /// A server may send a secret back, at once or later, and the program must not receive it.
    pub(super) fn redacted(&self, result: Result<Response, HttpError>) -> Result<Response, HttpError> {
        if self.redaction.is_empty() {
            return result;
        }
        let text = |text: &String| self.redaction.text(text);
        // A shortened URL in an error may end in the middle of a secret.
        let shown = |text: &String| self.redaction.shortened(text);
        match result {
            Ok(mut response) => {
                response.url = text(&response.url);
                let before = response.body.len();
                response.body = self.redaction.bytes(response.body);
                if response.truncated {
                    self.redaction.cut_beginning(&mut response.body);
                }
                for (name, value) in &mut response.headers {
                    *name = text(name);
                    *value = text(value);
                    if name.eq_ignore_ascii_case("content-length") && response.body.len() != before {
                        *value = response.body.len().to_string();
                    }
                }
                Ok(response)
            }
            Err(error) => Err(match error {
                HttpError::Denied(why) => HttpError::Denied(shown(&why)),
                HttpError::Dns(why) => HttpError::Dns(shown(&why)),
                HttpError::Connect(why) => HttpError::Connect(shown(&why)),
                HttpError::Tls(why) => HttpError::Tls(shown(&why)),
                HttpError::Timeout(why) => HttpError::Timeout(shown(&why)),
                HttpError::TooLarge(why) => HttpError::TooLarge(shown(&why)),
                HttpError::Protocol(why) => HttpError::Protocol(shown(&why)),
                HttpError::Budget(why) => HttpError::Budget(shown(&why)),
            }),
        }
    }
}
