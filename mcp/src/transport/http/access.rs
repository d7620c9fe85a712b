//! Who is let in, before anything of a request is read.

use http::{HeaderMap, Response, StatusCode, header};
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use isolette::Secret;
use subtle::ConstantTimeEq as _;

/// The body of every response.
pub(super) type Body = BoxBody<bytes::Bytes, std::convert::Infallible>;

/// Whether a request brings the token.
pub(super) fn has_token(headers: &HeaderMap, token: &Secret) -> bool {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return false };
    let value = value.as_bytes();
    // The scheme's name has no case; the token has.
    match value.split_at_checked(7) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case(b"bearer ") => {
            // In a time that says nothing of where the two differ.
            token.expose().as_bytes().ct_eq(rest.trim_ascii()).into()
        }
        _ => false,
    }
}

/// A short answer in plain text.
pub(super) fn refuse(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Full::from(text).boxed());
    *response.status_mut() = status;
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

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
