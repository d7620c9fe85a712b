//! Builds a request from arguments.
//!
//! Arguments of a program are data: they are percent-encoded at the location that the document names, and cannot lead
//! to another path, another host or another header. Secrets are added here, after everything else.

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use url::Url;

use super::{
    endpoint::Endpoint,
    location::Location,
    parameter::{Parameter, Part, template},
    style::encode,
};
use isolette_policy::network::may_climb;
use isolette_types::Secret;

/// A request without its secrets.
struct Draft {
    url: Url,
    headers: Vec<(String, String)>,
    cookies: Vec<String>,
    body: Vec<u8>,
}

/// A request with its secrets.
pub(super) struct Ready {
    pub(super) url: Url,
    pub(super) headers: Vec<(String, Secret)>,
    pub(super) body: Vec<u8>,
}

impl Endpoint {
    /// Builds the request for arguments. The error is written for the author of the program.
    pub(super) fn request(&self, arguments: &Map<String, Value>) -> Result<Ready, String> {
        self.draft(arguments).map(|draft| self.with_secrets(draft))
    }

    fn draft(&self, arguments: &Map<String, Value>) -> Result<Draft, String> {
        let given = |parameter: &Parameter| arguments.get(&parameter.argument);
        let mut path = String::new();
        for part in template(&self.path) {
            match part {
                Part::Literal(text) => path.push_str(text),
                Part::Variable(name) => {
                    let parameter = self
                        .parameters
                        .iter()
                        .find(|parameter| parameter.location == Location::Path && parameter.name == name);
                    let text = parameter.and_then(|parameter| Some(parameter.expand(given(parameter)?)));
                    match text.filter(|text| !text.is_empty()) {
                        Some(text) => path.push_str(&text),
                        None => return Err(format!("the argument `{name}` is part of the path and must not be empty")),
                    }
                }
            }
        }
        if climbs(path.split(['?', '#']).next().unwrap_or_default()) {
            return Err("an argument would lead to another path: `.` and `..` cannot be parts of one".into());
        }
        let mut url = Url::parse(&format!("{}{path}", self.server.base))
            .map_err(|error| format!("the URL of the operation cannot be used: {error}"))?;
        url.set_fragment(None);

        let mut pairs = Vec::new();
        let mut headers = Vec::new();
        let mut cookies = Vec::new();
        for parameter in &self.parameters {
            let Some(value) = given(parameter).filter(|value| !value.is_null() || parameter.required) else {
                continue;
            };
            match parameter.location {
                Location::Path => {}
                Location::Query => parameter.pairs(value, &mut pairs),
                Location::Header => headers.push((parameter.name.clone(), parameter.expand(value))),
                Location::Cookie => {
                    cookies.push(format!("{}={}", encode(&parameter.name, false), parameter.expand(value)))
                }
            }
        }
        add_to_query(&mut url, pairs.into_iter().map(|(key, value)| format!("{key}={value}")));
        headers.push(("accept".into(), self.accept.clone()));
        let mut bytes = Vec::new();
        if let (Some(body), Some(value)) = (&self.body, arguments.get("body")) {
            let (media, content) = body.encode(value)?;
            headers.push(("content-type".into(), media));
            bytes = content;
        }
        Ok(Draft { url, headers, cookies, body: bytes })
    }

    fn with_secrets(&self, draft: Draft) -> Ready {
        let Draft { mut url, headers, mut cookies, body } = draft;
        let mut headers: Vec<(String, Secret)> =
            headers.into_iter().map(|(name, value)| (name, Secret::new(value))).collect();
        for credential in &self.credentials {
            let value = credential.value.expose();
            match credential.location {
                Location::Query => {
                    add_to_query(
                        &mut url,
                        [format!("{}={}", encode(&credential.name, false), encode(value, false))].into_iter(),
                    );
                }
                Location::Cookie => {
                    cookies.push(format!("{}={}", encode(&credential.name, false), encode(value, false)))
                }
                Location::Header | Location::Path => headers.push((credential.name.clone(), credential.value.clone())),
            }
        }
        if !cookies.is_empty() {
            headers.push(("cookie".into(), Secret::new(cookies.join("; "))));
        }
        for (name, value) in self.headers.iter() {
            if name.eq_ignore_ascii_case("accept") {
                headers.retain(|(other, _)| other != "accept");
            }
            if !headers.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
                headers.push((name.clone(), value.clone()));
            }
        }
        Ready { url, headers, body }
    }
}

fn add_to_query(url: &mut Url, pairs: impl Iterator<Item = String>) {
    let pairs: Vec<String> =
        url.query().map(str::to_owned).filter(|query| !query.is_empty()).into_iter().chain(pairs).collect();
    if !pairs.is_empty() {
        url.set_query(Some(&pairs.join("&")));
    }
}

/// Whether a server could resolve a path to a place outside the base URL, after decoding it once or twice.
fn climbs(path: &str) -> bool {
    let once = percent_decode_str(path).decode_utf8_lossy().into_owned();
    let twice = percent_decode_str(&once).decode_utf8_lossy().into_owned();
    path.split('/').any(may_climb)
        || [path, &once, &twice]
            .iter()
            .any(|path| path.split(['/', '\\']).any(|segment| matches!(segment.split(';').next(), Some("." | ".."))))
}
