//! Finds the other requests that some servers treat a request as: because a header, a query or a form specifies another
//! method, or a header another path. The policy has to allow each of these requests as well.

mod json;

use std::collections::BTreeSet;

use hyper::header;
use isolette_abi::http::HttpError;
use memchr::memmem;
use url::{Url, form_urlencoded};

use self::json::Fields;
use super::{message::Message, override_request::Override};

/// Headers that specify another method. Any other sign counts as `-`, since some gateways replace signs.
const METHOD_HEADERS: [&str; 5] =
    ["x-http-method-override", "x-method-override", "x-http-method", "x-original-method", "x-rewrite-method"];

/// Fields of a query or a form that specify another method.
const METHOD_FIELDS: [&str; 4] = ["-method", "-httpmethod", "$httpmethod", "-http-method"];

/// Headers that specify another path.
const PATH_HEADERS: [&str; 8] = [
    "x-original-url",
    "x-rewrite-url",
    "x-original-uri",
    "x-override-url",
    "x-forwarded-uri",
    "x-forwarded-path",
    "x-envoy-original-path",
    "x-original-path",
];

/// Methods that are assumed for a form that cannot be parsed.
const ANY_METHOD: [&str; 3] = ["DELETE", "PATCH", "PUT"];

/// Maximum bytes of a field's name. Fields that specify a method have shorter names.
const LONGEST_FIELD: usize = 32;

/// Maximum number of other requests for one request.
const MOST: usize = 16;

/// Returns all requests as which a server may treat this one, without the one that is sent.
pub(super) fn overrides(message: &Message) -> Result<BTreeSet<Override>, HttpError> {
    let mut found = Found { message, overrides: BTreeSet::new() };
    for (name, value) in &message.headers {
        let plain = name.as_str().replace(|sign: char| !sign.is_ascii_alphanumeric(), "-");
        let value: String = value.as_bytes().iter().copied().map(char::from).collect();
        if METHOD_HEADERS.contains(&plain.as_str()) {
            found.methods(&format!("the header `{name}`"), &value)?;
        } else if PATH_HEADERS.contains(&plain.as_str()) {
            found.path(&format!("the header `{name}`"), &value)?;
        }
    }
    found.fields("the query", message.url.query_pairs())?;
    let kind = message.headers.get(header::CONTENT_TYPE).map(|value| value.as_bytes().to_ascii_lowercase());
    let kind = kind.unwrap_or_default();
    if memmem::find(&kind, b"form-urlencoded").is_some() {
        found.fields("the form", form_urlencoded::parse(&message.body))?;
    } else if memmem::find(&kind, b"json").is_some() {
        found.json(&message.body)?;
    } else if memmem::find(&kind, b"multipart").is_some() && names_method(&message.body) {
        found.methods("the field `_method` of the form", &ANY_METHOD.join(","))?;
    }
    Ok(found.overrides)
}

/// Returns whether a part of a form may be called `_method`, or have a name that servers convert to that.
fn names_method(body: &[u8]) -> bool {
    memmem::find_iter(body, b"method").any(|at| {
        let Some((b'_' | b'.' | b'-', before)) = body[..at].split_last() else { return false };
        let before = before.trim_ascii_end();
        before.ends_with(b"=") || before.ends_with(b"\"") || before.ends_with(b"'") || before.ends_with(b"=\\\"")
    })
}

/// Returns whether servers may read a field as the name of a method. PHP converts `.` and spaces to `_`, and ignores
/// what follows `[` and the spaces before it.
fn is_method_field(name: &str) -> bool {
    let plain =
        name.split(['[', '\0']).next().unwrap_or_default().trim().to_ascii_lowercase().replace(['_', '.', ' '], "-");
    METHOD_FIELDS.contains(&plain.as_str()) || METHOD_HEADERS.contains(&plain.as_str())
}

struct Found<'a> {
    message: &'a Message,
    overrides: BTreeSet<Override>,
}

impl Found<'_> {
    fn fields<'b>(
        &mut self,
        place: &str,
        pairs: impl Iterator<Item = (std::borrow::Cow<'b, str>, std::borrow::Cow<'b, str>)>,
    ) -> Result<(), HttpError> {
        // No name of such a field is longer, and this check alone skips most fields.
        for (name, value) in pairs.filter(|(name, _)| name.len() <= LONGEST_FIELD) {
            if is_method_field(&name) {
                self.methods(&format!("`{}` in {place}", name.escape_debug()), &value)?;
            }
        }
        Ok(())
    }

    /// Reads a JSON object, whose fields some servers treat like those of a form.
    fn json(&mut self, body: &[u8]) -> Result<(), HttpError> {
        let fields = match serde_json::from_slice(body) {
            Ok(Fields(fields)) => fields,
            // Some server may parse it all the same.
            Err(_) if names_method(body) => vec![("_method".into(), ANY_METHOD.join(","))],
            Err(_) => Vec::new(),
        };
        self.fields("the JSON", fields.into_iter().map(|(name, value)| (name.into(), value.into())))
    }

    fn methods(&mut self, place: &str, value: &str) -> Result<(), HttpError> {
        for method in value.split(',').map(str::trim).filter(|method| !method.is_empty()) {
            let method: String = method.chars().take(32).collect::<String>().to_ascii_uppercase();
            self.add(place, method, self.message.url.clone())?;
        }
        Ok(())
    }

    fn path(&mut self, place: &str, value: &str) -> Result<(), HttpError> {
        match self.message.url.join(value.trim()) {
            Ok(url) => self.add(place, self.message.method.as_str().to_owned(), url),
            Err(_) => Err(refused(self.message, place, "it has no URL in it\nhint: leave it out")),
        }
    }

    fn add(&mut self, place: &str, method: String, url: Url) -> Result<(), HttpError> {
        if method == self.message.method.as_str() && url == self.message.url {
            return Ok(());
        }
        if self.overrides.len() == MOST {
            let why = format!("there are more than {MOST} of them\nhint: send one request for each");
            return Err(refused(self.message, place, &why));
        }
        self.overrides.insert(Override { place: place.to_owned(), method, url });
        Ok(())
    }
}

/// Returns the error for a request that a server may treat as one that the policy denies.
pub(super) fn refused(message: &Message, place: &str, why: &str) -> HttpError {
    HttpError::Denied(format!(
        "{} {} is not allowed with {place}, by which a server may take it for another request: {why}",
        message.method,
        message.origin()
    ))
}
