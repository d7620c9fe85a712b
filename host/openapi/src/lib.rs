//! Creates tools from OpenAPI documents: every operation of a service becomes a function that programs call.
//!
//! ```no_run
//! use isolette::{OpenApi, Sandbox};
//!
//! let breweries = OpenApi::load("https://api.openbrewerydb.org/openapi.json")?.name("breweries").tools()?;
//! let sandbox = Sandbox::builder().tools(breweries).build()?;
//! let result = sandbox.run("call_tool('breweries.search_breweries', query='moon')")?;
//! # Ok::<(), isolette::Error>(())
//! ```
//!
//! Documents are untrusted: loading any document results in tools, in skipped operations with reasons or in an error,
//! in bounded time and memory. A tool only sends requests to URLs below the base URL that the document names.
//!
//! This crate depends on tools, on HTTP, on policies for the rules of its requests, and on deadlines. It depends on no engine, and not
//! on the crate `isolette`, which re-exports it.

mod binary;
mod body;
mod bundle;
mod call;
mod document;
mod endpoint;
mod filter;
mod limits;
mod location;
mod media;
mod multipart;
mod name;
mod operation;
mod parameter;
mod parse;
mod request;
mod response;
mod schema;
mod security;
mod server;
mod source;
mod style;
#[cfg(test)]
mod tests;
mod tool;

use std::path::PathBuf;

use url::Url;

pub use self::limits::OpenApiLimits;
use self::{filter::Filter, server::ServerOptions, source::Source};
use isolette_tools::ToolSet;
use isolette_types::{Error, Secret};

/// An OpenAPI document (3.0 or 3.1, JSON or YAML) from which tools are made.
///
/// Nothing is read before [`OpenApi::tools`]. Defaults, which the methods change:
///
/// | what | default |
/// |---|---|
/// | name | the document's title in snake case, else the name of its file |
/// | base URL | the first server that the document names for an operation |
/// | operations | all |
/// | secrets and headers | none |
/// | private addresses | not reachable, unless the base URL or the document's own URL has the address |
/// | responses other than 2xx | exceptions |
/// | limits | those of [`OpenApiLimits`] |
#[derive(Clone, Debug)]
#[must_use = "no tools are made until `tools`"]
pub struct OpenApi {
    source: Source,
    options: Options,
}

#[derive(Clone, Debug, Default)]
struct Options {
    name: Option<String>,
    server: ServerOptions,
    filter: Filter,
    secrets: Vec<(String, Secret)>,
    headers: Vec<(String, Secret)>,
    errors_are_values: bool,
    limits: OpenApiLimits,
}

impl OpenApi {
    /// Uses the document at `source`: an `http` or `https` URL, or else the path of a file.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if it is an invalid URL.
    pub fn load(source: &str) -> Result<Self, Error> {
        let is_url = ["http://", "https://"]
            .iter()
            .any(|scheme| source.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        if is_url { Self::from_url(source) } else { Ok(Self::from_file(source)) }
    }

    /// Uses the document in a file. Files in the same directory or below it that the document refers to are read as
    /// well.
    pub fn from_file(path: impl Into<PathBuf>) -> Self {
        Self::from(Source::File(path.into()))
    }

    /// Uses the document at a URL. It is fetched without any of the secrets and headers that tools send.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the URL is invalid.
    pub fn from_url(url: &str) -> Result<Self, Error> {
        Ok(Self::from(Source::Url(parse_url("document URL", url)?)))
    }

    /// Uses the text of a document.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self::from(Source::Text(text.into()))
    }

    fn from(source: Source) -> Self {
        Self { source, options: Options::default() }
    }

    /// Sets the part before the dot in the names of the tools. It is converted to an identifier if it is not one.
    pub fn name(mut self, name: &str) -> Self {
        self.options.name = Some(name.to_owned());
        self
    }

    /// Sends all requests below this URL and ignores the servers of the document.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if it is not an absolute `http` or `https` URL without credentials.
    pub fn base_url(mut self, url: &str) -> Result<Self, Error> {
        let mut url = parse_url("base URL", url)?;
        url.set_query(None);
        url.set_fragment(None);
        self.options.server.base_url = Some(url);
        Ok(self)
    }

    /// Sets a variable in the URLs of servers, such as `region`.
    pub fn server_variable(mut self, name: &str, value: &str) -> Self {
        self.options.server.variables.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Sets whether the document's servers may be at private addresses, or at names that resolve to them. Link-local
    /// addresses, such as those of the metadata services of clouds, remain unreachable.
    pub fn private_addresses(mut self, reached: bool) -> Self {
        self.options.server.private_addresses = reached;
        self
    }

    /// Includes only operations that match this pattern or another included one: by tool name, `operationId`, tag,
    /// path, or method and path. `*` matches any text, `?` any character: `list_*`, `issues`, `GET /repos/*`.
    pub fn include(mut self, pattern: &str) -> Self {
        self.options.filter.include(pattern);
        self
    }

    /// Excludes operations that match this pattern, even if they are included: see [`OpenApi::include`].
    pub fn exclude(mut self, pattern: &str) -> Self {
        self.options.filter.exclude(pattern);
        self
    }

    /// Sets the secret for a security scheme of the document: the key, the token, or `user:password` for HTTP basic.
    ///
    /// It is sent with operations that require the scheme, to the server that the document names for them, over https
    /// or to this machine, and not to the targets of redirects. Set a base URL if the document is not trusted with the
    /// secret. Programs see neither the secret nor the parameter that contains it; where the service echoes it, it is
    /// replaced.
    pub fn secret(mut self, scheme: &str, secret: impl Into<Secret>) -> Self {
        self.options.secrets.retain(|(other, _)| other != scheme);
        self.options.secrets.push((scheme.to_owned(), secret.into()));
        self
    }

    /// Sends a header with every request. Its value is treated like a secret.
    pub fn header(mut self, name: &str, value: impl Into<Secret>) -> Self {
        self.options.headers.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        self.options.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Sets whether responses other than 2xx are values, `{"status": 404, "error": "HTTP 404 Not Found", "body": …}`,
    /// instead of exceptions with the same information in their text.
    pub fn errors_as_values(mut self, values: bool) -> Self {
        self.options.errors_are_values = values;
        self
    }

    /// Sets all limits.
    pub fn limits(mut self, limits: OpenApiLimits) -> Self {
        self.options.limits = limits;
        self
    }

    /// Reads the document and makes its tools. Blocks while a document is fetched, for at most
    /// [`OpenApiLimits::document_time`]; may be called inside of any runtime.
    ///
    /// [`ToolSet::skipped`] lists everything without a tool, such as operations and webhooks, with reasons: it is
    /// excluded by a filter, or the document describes it in a way that cannot be called.
    ///
    /// # Errors
    /// If the document cannot be read, is not OpenAPI 3.0 or 3.1, exceeds a limit, or has no operation that could
    /// become a tool; or if a secret is for a scheme that the document does not have.
    pub fn tools(&self) -> Result<ToolSet, Error> {
        let options = &self.options;
        let loaded = self.source.load(&options.limits, options.server.private_addresses)?;
        let document = &loaded.document;
        let title = document.root.pointer("/info/title").and_then(serde_json::Value::as_str);
        let name = options.name.as_deref().or(title).map(str::to_owned).or_else(|| self.source.stem());
        let namespace = name::snake(&name.unwrap_or_default(), "api");
        let set = tool::tools(document, &namespace, loaded.url.as_ref(), options)?;
        if let (true, Some(first)) = (set.tools.is_empty(), set.skipped.first()) {
            return Err(Error::invalid(
                format!("{} gives no tool: {}: {}", self.source.label(), first.what, first.reason),
                format!(
                    "none of its {} operations can be called; each has its reason, this is the first",
                    set.skipped.len()
                ),
            ));
        }
        if set.tools.is_empty() {
            return Err(Error::invalid(
                format!("{} describes no operation", self.source.label()),
                "give a document with `paths`",
            ));
        }
        Ok(set)
    }
}

fn parse_url(what: &str, url: &str) -> Result<Url, Error> {
    let bad = |why: &str| {
        Error::invalid(format!("{what} `{}` {why}", document::shown(url)), "give an absolute http or https URL")
    };
    match Url::parse(url) {
        Ok(url) if !url.username().is_empty() || url.password().is_some() => Err(Error::invalid(
            format!("the {what} has a user name or a password"),
            "leave them out; tools take secrets with `secret` and `header`",
        )),
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => Ok(url),
        Ok(_) => Err(bad("is neither http nor https")),
        Err(error) => Err(bad(&format!("cannot be used: {error}"))),
    }
}
