//! The source of a document: a file, a URL or a text. Reading stops at the size limit.

use std::{
    fs::File,
    io::Read as _,
    path::{Path, PathBuf},
    thread,
    time::Instant,
};

use bytes::Bytes;
use url::Url;

use super::{bundle::bundle, document::Document, limits::OpenApiLimits, parse, server::host_place};
use isolette_deadline::runtime;
use isolette_http::{Http, HttpLimits, NoHooks, Request};
use isolette_policy::{network::Network, network::Rule};
use isolette_types::Error;

/// Maximum number of redirects from the URL of a document, within its origin.
const REDIRECTS: u32 = 5;

#[derive(Clone, Debug)]
pub(super) enum Source {
    File(PathBuf),
    Url(Url),
    Text(String),
}

/// A document that was read, and its final URL if it was fetched.
pub(super) struct Loaded {
    pub(super) document: Document,
    pub(super) url: Option<Url>,
}

impl Source {
    /// The description of the source in messages.
    pub(super) fn label(&self) -> String {
        match self {
            Self::File(path) => format!("the document {}", path.display()),
            Self::Url(url) => {
                let mut shown = url.clone();
                shown.set_query(None);
                shown.set_fragment(None);
                format!("the document {shown}")
            }
            Self::Text(_) => "the document".into(),
        }
    }

    /// A name derived from the location, for documents without a title.
    pub(super) fn stem(&self) -> Option<String> {
        let name = match self {
            Self::File(path) => path.file_name()?.to_string_lossy().into_owned(),
            Self::Url(url) => url.path_segments()?.rfind(|segment| !segment.is_empty())?.to_owned(),
            Self::Text(_) => return None,
        };
        name.split('.').next().map(str::to_owned)
    }

    pub(super) fn load(&self, limits: &OpenApiLimits, private_addresses: bool) -> Result<Loaded, Error> {
        let label = self.label();
        let (text, url) = match self {
            Self::File(path) => (read(path, limits.document_bytes)?, None),
            Self::Url(url) => {
                let (text, url) = fetch(url, limits, private_addresses)?;
                (text, Some(url))
            }
            Self::Text(text) if text.len() > limits.document_bytes => {
                return Err(too_long(&label, limits.document_bytes));
            }
            Self::Text(text) => (text.clone(), None),
        };
        let (root, room) = parse::text(&text, &label)?;
        parse::check_version(&root, &label)?;
        let mut document = match self {
            Self::File(path) => bundle(root, path, limits.document_bytes.saturating_sub(text.len())),
            _ => Document { root, ..Document::default() },
        };
        document.room.push(room);
        Ok(Loaded { document, url })
    }
}

fn too_long(label: &str, limit: usize) -> Error {
    Error::invalid(format!("{label} is longer than {limit} bytes"), "raise the limit `document_bytes`")
}

fn read(path: &Path, limit: usize) -> Result<String, Error> {
    let failed = |error| Error::io(format!("cannot read the document {}", path.display()), error);
    let mut text = String::new();
    let file = File::open(path).map_err(failed)?;
    let read = file.take(limit as u64 + 1).read_to_string(&mut text).map_err(failed)?;
    if read > limit { Err(too_long(&format!("the document {}", path.display()), limit)) } else { Ok(text) }
}

/// Fetches the text. Also returns the final URL.
fn fetch(url: &Url, limits: &OpenApiLimits, private_addresses: bool) -> Result<(String, Url), Error> {
    let label = Source::Url(url.clone()).label();
    let failed = |why: String| Error::Unavailable {
        what: label.clone(),
        reason: why.lines().next().unwrap_or_default().to_owned(),
        hint: "look whether the URL is right; a name that leads to a private address needs `private_addresses`".into(),
    };
    let mut origin = url.clone();
    origin.set_path("/");
    let mut rule = Rule::for_base_url(&origin)?;
    if private_addresses && host_place(url).is_none() {
        rule = rule.private();
    }
    let http_limits = HttpLimits {
        response_bytes: limits.document_bytes,
        time_per_request: limits.document_time,
        ..HttpLimits::default()
    };
    let http = Http::new(Network::Allowlist(vec![rule]), http_limits);
    let runtime = runtime()?;
    let exchange = async {
        let request = Request {
            method: "GET",
            url: url.as_str(),
            headers: &[("accept", "application/json, application/yaml, */*;q=0.5")],
            body: Bytes::new(),
            timeout: None,
            redirects: REDIRECTS,
        };
        let now = Instant::now();
        let end = now.checked_add(limits.document_time.saturating_mul(2)).unwrap_or(now);
        http.send(request, end, &NoHooks).await
    };
    // The caller may be inside of a runtime of its own, where blocking on another runtime is not allowed.
    let answer = thread::scope(|scope| scope.spawn(|| runtime.block_on(exchange)).join())
        .map_err(|_| failed("it broke off".into()))?
        .map_err(|error| failed(format!("{error:?}")))?;
    if !(200..300).contains(&answer.status) {
        return Err(failed(format!("the server answered HTTP {}", answer.status)));
    }
    if answer.truncated {
        return Err(too_long(&label, limits.document_bytes));
    }
    let found = Url::parse(&answer.url).unwrap_or_else(|_| url.clone());
    let text = String::from_utf8(answer.body).map_err(|_| failed("it is not text in UTF-8".into()))?;
    Ok((text, found))
}
