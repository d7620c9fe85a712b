//! Determines the request that a redirect leads to.
//!
//! Follows RFC 9110 (15.4) and the behaviour of browsers. It only builds the next request; the policy decides about
//! that one as about any other.

use hyper::{Method, header};
use isolette_abi::http::HttpError;

use super::{
    limits::URL_BYTES,
    message::{Message, remove_credentials},
    url_text::shortened,
};

/// Returns the next request. `None` if the response is not a redirect with a location.
pub(super) fn next(message: &Message, status: u16, location: Option<String>) -> Result<Option<Message>, HttpError> {
    if !matches!(status, 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = location else { return Ok(None) };
    let bad = |why: String| {
        HttpError::Protocol(format!("{} redirects to `{}`: {why}", message.origin(), shortened(&location)))
    };
    let mut url = message.url.join(&location).map_err(|error| bad(error.to_string()))?;
    if url.fragment().is_none() {
        url.set_fragment(message.url.fragment());
    }
    if url.as_str().len() > URL_BYTES {
        return Err(bad(format!("the URL is longer than {URL_BYTES} bytes")));
    }
    // Credentials that a server puts there are not what the guest intended to send.
    remove_credentials(&mut url);

    let mut next = message.redirected(url);
    let rewritten = match status {
        301 | 302 => message.method == Method::POST,
        303 => message.method != Method::GET && message.method != Method::HEAD,
        _ => false,
    };
    if rewritten {
        next.method = Method::GET;
        next.body.clear();
        for name in [header::CONTENT_TYPE, header::CONTENT_ENCODING, header::CONTENT_LANGUAGE, header::CONTENT_LOCATION]
        {
            next.headers.remove(name);
        }
    }
    if next.url.origin() != message.url.origin() {
        for name in [header::AUTHORIZATION, header::COOKIE] {
            next.headers.remove(name);
        }
    }
    Ok(Some(next))
}
