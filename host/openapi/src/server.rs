//! Determines the servers of requests.
//!
//! The first server of the operation is used, else of the path, else of the document. Each base URL gets a client of
//! its own that reaches nothing else, so that no redirect leaves it. A document may not name an address that is not
//! public, unless the embedder allows it, or has named that address.

use std::{collections::BTreeMap, net::IpAddr, sync::Arc};

use serde_json::Value;
use url::{Host, Url};

use super::{
    document::{elements, entries, shown, text},
    limits::{OpenApiLimits, SERVERS},
};
use isolette_http::{Http, HttpLimits};
use isolette_policy::{network::Network, network::Place, network::Rule, network::place};

/// One base URL and the client for it.
#[derive(Debug)]
pub(super) struct Server {
    /// The base URL without a trailing slash.
    pub(super) base: String,
    pub(super) http: Http,
    /// Whether requests cannot be read in transit.
    pub(super) is_confidential: bool,
}

/// The embedder's settings of servers.
#[derive(Clone, Debug, Default)]
pub(super) struct ServerOptions {
    pub(super) base_url: Option<Url>,
    pub(super) variables: BTreeMap<String, String>,
    pub(super) private_addresses: bool,
}

/// The servers of a document, created on demand.
pub(super) struct Servers<'a> {
    options: &'a ServerOptions,
    limits: &'a OpenApiLimits,
    /// The URL of the document, if it was fetched.
    document: Option<&'a Url>,
    known: Vec<Arc<Server>>,
}

impl<'a> Servers<'a> {
    pub(super) fn new(options: &'a ServerOptions, limits: &'a OpenApiLimits, document: Option<&'a Url>) -> Self {
        Self { options, limits, document, known: Vec::new() }
    }

    /// Returns the server of an operation, given the servers of the operation, its path and the document.
    pub(super) fn choose(&mut self, levels: [Option<&Value>; 3]) -> Result<Arc<Server>, String> {
        let url = match (&self.options.base_url, levels.into_iter().find_map(|level| elements(level).next())) {
            (Some(url), _) => url.clone(),
            (None, Some(server)) => self.absolute(&self.expand(server)?)?,
            // Without any server, it is the root of the document's URL.
            (None, None) => self.absolute("/")?,
        };
        let base = url.as_str().trim_end_matches('/').to_owned();
        if let Some(server) = self.known.iter().find(|server| server.base.eq_ignore_ascii_case(&base)) {
            return Ok(Arc::clone(server));
        }
        if self.known.len() >= SERVERS {
            return Err(format!("the document names more than {SERVERS} servers"));
        }
        let server = Arc::new(self.server(&url, base)?);
        self.known.push(Arc::clone(&server));
        Ok(server)
    }

    fn absolute(&self, text: &str) -> Result<Url, String> {
        let parsed = match self.document {
            Some(document) => document.join(text),
            None => Url::parse(text),
        };
        match parsed {
            Ok(mut url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
                if !url.username().is_empty() || url.password().is_some() {
                    return Err("the URL of its server has a user name or a password".into());
                }
                url.set_query(None);
                url.set_fragment(None);
                Ok(url)
            }
            Ok(url) => Err(format!("its server speaks `{}`, not http or https", shown(url.scheme()))),
            Err(url::ParseError::RelativeUrlWithoutBase) => {
                Err(format!("its server `{}` is relative to a place that is not known; give a base URL", shown(text)))
            }
            Err(error) => Err(format!("its server `{}` is not a URL: {error}", shown(text))),
        }
    }

    /// Substitutes the variables of a server's URL.
    fn expand(&self, server: &Value) -> Result<String, String> {
        let mut rest = text(server, "url").unwrap_or("/");
        let mut url = String::new();
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            let variable = entries(server.get("variables")).find(|(key, _)| *key == name).map(|(_, variable)| variable);
            let given = self.options.variables.get(name);
            let default = variable.and_then(|variable| variable.get("default")).map(super::style::scalar);
            let Some(value) = given.cloned().or(default) else {
                return Err(format!("its server has the variable `{}` without a value; set it", shown(name)));
            };
            let allowed: Vec<_> =
                elements(variable.and_then(|variable| variable.get("enum"))).map(super::style::scalar).collect();
            if given.is_some() && !allowed.is_empty() && !allowed.contains(&value) {
                return Err(format!(
                    "its server has the variable `{}`, which may be {}; not `{}`",
                    shown(name),
                    shown(&allowed.join(", ")),
                    shown(&value)
                ));
            }
            url.push_str(before);
            url.push_str(&value);
            rest = after;
        }
        url.push_str(rest);
        Ok(url)
    }

    fn server(&self, url: &Url, base: String) -> Result<Server, String> {
        let named_by_a_person =
            self.options.base_url.is_some() || self.document.is_some_and(|document| document.origin() == url.origin());
        let place = host_place(url);
        let mut rule =
            Rule::for_base_url(url).map_err(|error| format!("its server cannot be used: {}", error.message()))?;
        match place {
            Some(Place::Special) if !named_by_a_person => {
                return Err(format!("its server `{}` is no place for a service", shown(&base)));
            }
            Some(Place::Loopback | Place::Private) if !named_by_a_person && !self.options.private_addresses => {
                return Err(format!(
                    "its server `{}` is not a public address; set `private_addresses`, or give a base URL",
                    shown(&base)
                ));
            }
            None if self.options.private_addresses => rule = rule.private(),
            _ => {}
        }
        let limits = HttpLimits {
            request_bytes: self.limits.request_bytes,
            response_bytes: self.limits.response_bytes,
            time_per_request: self.limits.time_per_call,
            ..HttpLimits::default()
        };
        let is_confidential = url.scheme() == "https" || place == Some(Place::Loopback);
        Ok(Server { base, http: Http::new(Network::Allowlist(vec![rule]), limits), is_confidential })
    }
}

/// The kind of address that the host of a URL is. `None` for a name, whose address is not known yet.
pub(super) fn host_place(url: &Url) -> Option<Place> {
    match url.host()? {
        Host::Ipv4(address) => Some(place(IpAddr::V4(address))),
        Host::Ipv6(address) => Some(place(IpAddr::V6(address))),
        Host::Domain(name) => {
            let name = name.strip_suffix('.').unwrap_or(name);
            (name == "localhost" || name.ends_with(".localhost")).then_some(Place::Loopback)
        }
    }
}
