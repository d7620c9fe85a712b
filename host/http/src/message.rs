//! A validated request, before the policy decides about it and it is sent.

use bytes::Bytes;
use hyper::{HeaderMap, Method, Uri, header};
use isolette_abi::http::HttpError;
use url::{Position, Url};

use super::{
    Request, headers,
    hooks::RequestHooks,
    limits::{HttpLimits, URL_BYTES},
    url_text::{host, shortened},
};
use isolette_types::{LimitHit, LimitName};

/// The same limit as in the rules of a policy.
const METHOD_BYTES: usize = 32;

/// A validated request. Its URL has no credentials, and its headers none that the host controls.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    /// The names of the headers as the program spelled them.
    pub(super) names: Vec<String>,
    /// The target of `url` as the program wrote it, if that is the same.
    written: Option<Uri>,
    pub(super) body: Bytes,
}

impl Message {
    pub(super) fn new(request: &Request<'_>, limits: &HttpLimits, hooks: &dyn RequestHooks) -> Result<Self, HttpError> {
        // `get` never means a method of its own, and policies and servers must not see two different methods.
        let method = Some(request.method.to_ascii_uppercase()).filter(|method| method.len() <= METHOD_BYTES);
        let method = method.and_then(|method| Method::from_bytes(method.as_bytes()).ok()).ok_or_else(|| {
            HttpError::Protocol(format!(
                "`{}` is not an HTTP method\nhint: use a name such as GET or POST",
                shortened(request.method)
            ))
        })?;
        let mut url = Url::parse(request.url).map_err(|error| {
            HttpError::Protocol(format!(
                "`{}` is not a URL: {error}\nhint: write it whole, such as https://example.com/path",
                shortened(request.url)
            ))
        })?;
        // The length as sent: encoding may have made the URL longer.
        let length = url.as_str().len();
        if length > URL_BYTES {
            return Err(HttpError::TooLarge(format!(
                "the URL has {length} bytes, the limit is {URL_BYTES}\nhint: send data in the body"
            )));
        }
        if request.body.len() > limits.request_bytes {
            let (length, limit) = (request.body.len(), limits.request_bytes);
            hooks.limit_reached(LimitHit::new(LimitName::HttpBody, limit as u64, length as u64));
            return Err(HttpError::TooLarge(format!(
                "the request has a body of {length} bytes, the limit is {limit}\n\
                 hint: send less at a time, or raise `limits.http_body` in the policy"
            )));
        }
        let headers = headers::outgoing(request.headers, &url, limits, hooks)?;
        if remove_credentials(&mut url) && !headers.contains_key(header::AUTHORIZATION) {
            return Err(HttpError::Protocol(
                "the URL has a user name or a password\nhint: send them in an `Authorization` header".into(),
            ));
        }
        let names = request.headers.iter().map(|(name, _)| (*name).to_owned()).collect();
        let written = as_written(request.url, &url);
        Ok(Self { method, url, headers, names, written, body: request.body.clone() })
    }

    /// Returns the URL's scheme, host and port, for messages.
    pub(super) fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Returns the message that a redirect makes of this one.
    pub(super) fn redirected(&self, url: Url) -> Self {
        Self { url, written: None, ..self.clone() }
    }

    /// Returns the target for the request line.
    pub(super) fn target(&self) -> Result<Uri, HttpError> {
        if let Some(written) = &self.written {
            return Ok(written.clone());
        }
        self.url[Position::BeforePath..Position::AfterQuery].parse().map_err(|error| {
            HttpError::Protocol(format!("{}: the URL's path or query cannot be sent: {error}", self.origin()))
        })
    }

    /// Returns the value of `Host`: the name without the dot of the root, and the port if it is not the default.
    pub(super) fn authority(&self) -> String {
        match self.url.port() {
            Some(port) => format!("{}:{port}", host(&self.url)),
            None => host(&self.url).to_owned(),
        }
    }
}

/// Returns the path and the query of a URL as they are written, if they differ from the parsed ones only in signs that parsing
/// encodes, as `'` in a query: Python's libraries send these as they are, and servers may compare what they receive. Anything
/// else is sent as the policy sees it.
fn as_written(text: &str, url: &Url) -> Option<Uri> {
    let parsed = &url[Position::BeforePath..Position::AfterQuery];
    let (_, rest) = text.split_once("://")?;
    let target = &rest[rest.find(['/', '?', '#', '\\'])?..];
    let target = target.split('#').next().unwrap_or_default();
    let mut left = parsed.as_bytes();
    for sign in target.bytes() {
        let encoded = format!("%{sign:02X}");
        left = match left.split_first() {
            Some((first, rest)) if *first == sign => rest,
            _ if b"\"'`{}|^".contains(&sign) => left.strip_prefix(encoded.as_bytes())?,
            _ => return None,
        };
    }
    if left.is_empty() { target.parse().ok() } else { None }
}

/// Removes the credentials of a URL. Returns whether there were any.
pub(super) fn remove_credentials(url: &mut Url) -> bool {
    let had = !url.username().is_empty() || url.password().is_some();
    // Both fail only for URLs that cannot have credentials.
    let _ = (url.set_username(""), url.set_password(None));
    had
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_sent_as_written_where_they_mean_the_same() {
        let target = |text: &str| {
            let url: Url = text.parse().unwrap();
            as_written(text, &url).map(|target| target.to_string())
        };
        for same in ["/", "/a//b?c='d'&e=//f", "/?", "/a?x=%27'", "/a{b}?c=d|e", "/%7Ea%zz", "//a"] {
            assert_eq!(target(&format!("http://h{same}")).as_deref(), Some(same));
            assert_eq!(target(&format!("http://u:p@h:81{same}#x?'/")).as_deref(), Some(same));
        }
        for other in ["", "?a", "/a/../b", "/a/%2e%2E/b", "/a\\b", "/a b", "/ü", "/a\tb?'", "/a?<'>", "/.?'"] {
            assert_eq!(target(&format!("http://h{other}")), None, "{other}");
        }
    }
}
