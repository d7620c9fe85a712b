//! Access control, before the body of a request is read.

use http::{HeaderMap, HeaderName, Request, Response, StatusCode, header, uri::Authority};
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use isolette::Secret;
use subtle::ConstantTimeEq as _;

use crate::framing::Ambiguous;

/// The body of every response.
pub type Body = BoxBody<bytes::Bytes, std::convert::Infallible>;

/// Whether a request has the bearer token.
#[must_use]
pub fn has_token(headers: &HeaderMap, token: &Secret) -> bool {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return false };
    let value = value.as_bytes();
    // The scheme's name is case-insensitive; the token is not.
    match value.split_at_checked(7) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case(b"bearer ") => {
            // Compared in constant time.
            token.expose().as_bytes().ct_eq(rest.trim_ascii()).into()
        }
        _ => false,
    }
}

/// Headers that identify client, host and operation. If one is repeated, two parts of the server could use different
/// values.
const SINGLE: [HeaderName; 8] = [
    header::HOST,
    header::ORIGIN,
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    HeaderName::from_static("mcp-session-id"),
    HeaderName::from_static("mcp-protocol-version"),
    HeaderName::from_static("mcp-method"),
    HeaderName::from_static("mcp-name"),
];

/// The response to a request that is refused.
pub type Refusal = (StatusCode, &'static str);

/// Refuses requests whose host, origin or length is ambiguous, because other parts of a server could interpret them differently.
///
/// # Errors
/// The response to the request.
pub fn is_plain<B>(request: &Request<B>) -> Result<(), Refusal> {
    if request.extensions().get::<Ambiguous>().is_some() {
        return Err((
            StatusCode::BAD_REQUEST,
            "Bad Request: Transfer-Encoding is there with Content-Length, or was sent before the last response was read\n",
        ));
    }
    let headers = request.headers();
    let bad = |text| Err((StatusCode::BAD_REQUEST, text));
    if SINGLE.iter().any(|name| headers.get_all(name).iter().nth(1).is_some()) {
        return bad("Bad Request: a header that there can be once is there twice\n");
    }
    let host = headers.get(header::HOST).map(|host| host.to_str().unwrap_or_default());
    if !host.is_none_or(is_authority) {
        return bad("Bad Request: Host is not a name or an address, with or without a port\n");
    }
    // If the request has an absolute URL, its host takes precedence.
    if let Some(authority) = request.uri().authority()
        && (!is_authority(authority.as_str())
            || !host.is_some_and(|host| host.eq_ignore_ascii_case(authority.as_str())))
    {
        return bad("Bad Request: the URL and Host name different hosts\n");
    }
    let origin = headers.get(header::ORIGIN).map(|origin| origin.to_str().unwrap_or_default());
    let is_origin = |origin: &str| {
        origin == "null"
            || origin.split_once("://").is_some_and(|(scheme, rest)| is_scheme(scheme) && is_authority(rest))
    };
    if !origin.is_none_or(is_origin) {
        return Err((StatusCode::FORBIDDEN, "Forbidden: Origin is not a scheme, a host and a port\n"));
    }
    Ok(())
}

/// Whether the `Host` of a request is this machine, by a name that does not depend on a name server.
#[must_use]
pub fn is_local(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()?.parse::<Authority>().ok());
    host.is_some_and(|host| {
        let name = host.host().trim_matches(['[', ']']);
        name.eq_ignore_ascii_case("localhost")
            || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
    })
}

fn is_scheme(text: &str) -> bool {
    let rest = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(rest)
}

/// Whether a text is only a name or an address, with an optional port.
fn is_authority(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    let port = text.rsplit_once(':').map(|(_, port)| port).filter(|port| !port.ends_with(']'));
    text.bytes().all(plain)
        && text.parse::<Authority>().is_ok_and(|authority| !authority.host().is_empty())
        && port.is_none_or(|port| port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok())
}

/// A short response in plain text.
pub fn refuse(status: StatusCode, text: impl Into<bytes::Bytes>) -> Response<Body> {
    let mut response = Response::new(Full::new(text.into()).boxed());
    *response.status_mut() = status;
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(uri: &str, headers: &[(&'static str, &str)]) -> u16 {
        let mut request = Request::new(());
        *request.uri_mut() = uri.parse().unwrap();
        for (name, value) in headers {
            request.headers_mut().append(*name, header::HeaderValue::from_str(value).unwrap());
        }
        is_plain(&request).map_or_else(|(status, _)| status.as_u16(), |()| 200)
    }

    #[test]
    fn hosts_and_origins_are_read_in_one_way_or_not_at_all() {
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]", "[::1]:8080", "a-b.example.com."] {
            assert_eq!(status("/mcp", &[("host", host)]), 200, "{host}");
            assert_eq!(status("/mcp", &[("host", "x"), ("origin", &format!("http://{host}"))]), 200, "{host}");
        }
        for host in [
            "evil@localhost",
            "evil:x@localhost",
            "@localhost",
            "localhost@evil",
            "localhost,evil",
            "localhost evil",
            "localhost/evil",
            "localhost?evil",
            "localhost#evil",
            "localhost\\evil",
            "localhost:",
            "localhost:80:80",
            "localhost:+80",
            "localhost:99999",
            "localhost:80@evil",
            "local%68ost",
            "",
            ":80",
        ] {
            assert_eq!(status("/mcp", &[("host", host)]), 400, "{host}");
            assert_eq!(status("/mcp", &[("host", "x"), ("origin", &format!("http://{host}"))]), 403, "{host}");
        }
        for origin in ["null", "app://x"] {
            assert_eq!(status("/mcp", &[("host", "x"), ("origin", origin)]), 200, "{origin}");
        }
        for origin in ["http://x/y", "http:x", "x", "//x", "http://x, http://y", "1p://x", "null null"] {
            assert_eq!(status("/mcp", &[("host", "x"), ("origin", origin)]), 403, "{origin}");
        }
    }

    #[test]
    fn what_there_can_be_once_is_not_there_twice() {
        for (name, one, other) in [
            ("host", "localhost", "localhost"),
            ("host", "localhost", "evil"),
            ("origin", "http://localhost", "http://evil"),
            ("authorization", "Bearer a", "Bearer b"),
            ("mcp-session-id", "a", "b"),
        ] {
            assert_eq!(status("/mcp", &[(name, one), (name, other)]), 400, "{name}");
        }
        assert_eq!(status("/mcp", &[("accept", "a"), ("accept", "b")]), 200);
        assert_eq!(status("http://localhost/mcp", &[("host", "localhost")]), 200);
        for host in [&[("host", "evil")][..], &[]] {
            assert_eq!(status("http://localhost/mcp", host), 400);
        }
    }

    #[test]
    fn only_the_very_token_lets_in() {
        let token = Secret::new("s3cret");
        let with = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, header::HeaderValue::from_static(value));
            has_token(&headers, &token)
        };
        assert!(with("Bearer s3cret") && with("bearer  s3cret "));
        for wrong in
            ["Bearer S3cret", "Bearer s3cre", "Bearer s3crets", "Basic s3cret", "Bearer", "Bearer ", "s3cret", ""]
        {
            assert!(!with(wrong), "{wrong:?}");
        }
        assert!(!has_token(&HeaderMap::new(), &token));
    }
}
