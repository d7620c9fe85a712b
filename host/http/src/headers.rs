//! Validates the headers of guests, and filters those that are passed to guests.
//!
//! The host controls the connection: headers about it are neither accepted from guests nor passed to them.
//! `Connection`, `Content-Length`, `Expect`, `Keep-Alive`, `Proxy-*`, `TE`, `Trailer`, `Transfer-Encoding` and
//! `Upgrade` of a guest are dropped, because ordinary libraries set them and nothing is lost. A `Host` that differs
//! from the URL's is refused, because dropping it would send a request that the guest did not intend.

use hyper::{
    HeaderMap,
    header::{self, HeaderName, HeaderValue},
};
use isolette_abi::http::HttpError;
use url::Url;

use super::{
    hooks::RequestHooks,
    limits::HttpLimits,
    url_text::{host, shortened},
};
use isolette_policy::is_of_connection;
use isolette_types::{LimitHit, LimitName};

const USER_AGENT: &str = concat!("isolette/", env!("CARGO_PKG_VERSION"));
/// The codings that [`super::body`] decodes.
const ACCEPT_ENCODING: &str = "gzip, deflate, br";

/// Returns the headers that a request is sent with, apart from `Host` and `Content-Length`.
pub(super) fn outgoing(
    pairs: &[(&str, &str)],
    url: &Url,
    limits: &HttpLimits,
    hooks: &dyn RequestHooks,
) -> Result<HeaderMap, HttpError> {
    let bytes: usize = pairs.iter().map(|(name, value)| name.len() + value.len()).sum();
    fits("request", pairs.len(), bytes, limits, hooks).map_err(HttpError::TooLarge)?;
    let mut headers = HeaderMap::with_capacity(pairs.len() + 3);
    for (name, value) in pairs {
        let (name, value) = parse(name, value)?;
        if name == header::HOST {
            check_host(&value, url)?;
        } else if !is_of_connection(&name) {
            headers.append(name, value);
        }
    }
    let mut default = |name, value| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    default(header::USER_AGENT, USER_AGENT);
    default(header::ACCEPT, "*/*");
    // The host decodes bodies, so it announces which codings it supports. Part of a coded body could not be decoded.
    let plain = headers.contains_key(header::RANGE)
        || headers.get(header::ACCEPT_ENCODING).is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"));
    let accepted = if plain { "identity" } else { ACCEPT_ENCODING };
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
    Ok(headers)
}

/// Returns the headers that a guest receives, in order.
pub(super) fn incoming(
    headers: &[(&str, &HeaderValue)],
    limits: &HttpLimits,
    decoded: bool,
    hooks: &dyn RequestHooks,
) -> Result<Vec<(String, String)>, HttpError> {
    let is_passed = |name: &HeaderName| {
        let is_length = name == header::CONTENT_LENGTH;
        (is_length || !is_of_connection(name)) && !(decoded && (is_length || name == header::CONTENT_ENCODING))
    };
    let pairs: Vec<(String, String)> = headers
        .iter()
        .filter(|(name, _)| HeaderName::from_bytes(name.as_bytes()).is_ok_and(|name| is_passed(&name)))
        .map(|(name, value)| ((*name).to_owned(), value.as_bytes().iter().copied().map(char::from).collect()))
        .collect();
    // Characters in the upper half of ISO-8859-1 take two bytes in the message to the guest.
    let bytes: usize = pairs.iter().map(|(name, value)| name.len() + value.len()).sum();
    fits("response", pairs.len(), bytes, limits, hooks).map_err(HttpError::Protocol)?;
    Ok(pairs)
}

/// Checks that a response of a transport could have come over the network. `Err` says why not.
pub(super) fn made(
    status: u16,
    pairs: &[(String, String)],
    limits: &HttpLimits,
    hooks: &dyn RequestHooks,
) -> Result<(), String> {
    if !(100..=599).contains(&status) {
        return Err(format!("its status is {status}"));
    }
    pairs.iter().try_for_each(|(name, value)| check_pair(name, value))?;
    let bytes = pairs.iter().map(|(name, value)| name.len() + value.len()).sum();
    fits("response", pairs.len(), bytes, limits, hooks)
}

/// Checks that a name and a value form one header, and not two. `Err` says why not.
pub fn check_pair(name: &str, value: &str) -> Result<(), String> {
    match parse(name, value) {
        Ok(_) => Ok(()),
        Err(HttpError::Protocol(why)) => Err(why),
        Err(_) => Err("a header cannot be read".into()),
    }
}

/// Checks the number and the size of headers against the limits. `Err` says which one is exceeded.
fn fits(what: &str, count: usize, bytes: usize, limits: &HttpLimits, hooks: &dyn RequestHooks) -> Result<(), String> {
    for (name, used, limit, unit) in [
        (LimitName::HttpHeaders, count, limits.headers, "headers"),
        (LimitName::HttpHeaderBytes, bytes, limits.header_bytes, "bytes of headers"),
    ] {
        if used > limit {
            hooks.limit_reached(LimitHit::new(name, limit as u64, used as u64));
            let name = name.as_str();
            return Err(format!(
                "the {what} has {used} {unit}, the limit is {limit}\nhint: do with less, or raise `{name}` in the policy"
            ));
        }
    }
    Ok(())
}

fn parse(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), HttpError> {
    let bad = |why: &str| HttpError::Protocol(format!("header `{}` {why}", shortened(name)));
    let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad("has a name that is not a token"))?;
    let bytes: Option<Vec<u8>> = value.trim_matches([' ', '\t']).chars().map(|char| u8::try_from(char).ok()).collect();
    let bytes = bytes.ok_or_else(|| {
        bad("has a value with characters outside of ISO-8859-1\nhint: encode it, for example with percent-encoding")
    })?;
    let value =
        HeaderValue::from_bytes(&bytes).map_err(|_| bad("has a value with a line break or a control character"))?;
    Ok((parsed, value))
}

fn check_host(value: &HeaderValue, url: &Url) -> Result<(), HttpError> {
    let given = value.as_bytes();
    let with_port = url.port_or_known_default().map(|port| format!("{}:{port}", host(url)));
    let same = (url.port().is_none() && given.eq_ignore_ascii_case(host(url).as_bytes()))
        || with_port.is_some_and(|expected| given.eq_ignore_ascii_case(expected.as_bytes()));
    if same {
        return Ok(());
    }
    Err(HttpError::Protocol(
        "the header `Host` names another host than the URL\nhint: leave it out, and put the host into the URL".into(),
    ))
}
