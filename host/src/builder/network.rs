//! Which requests may leave, and how they get where they lead.

use std::{io, net::IpAddr, sync::Arc};

use url::Url;

use super::SandboxBuilder;
use crate::{
    Error, HeaderSecret,
    capability::http::{Answers, Transport},
    policy::network::{Network, Rule},
};

impl SandboxBuilder {
    /// Sets the network as a whole. Without this and with [`SandboxBuilder::allow`] it is an allowlist.
    pub fn network(mut self, network: Network) -> Self {
        self.network = Some(network);
        self
    }

    /// Allows what a rule says: `api.example.com`, `*.example.com`, `GET https://api.example.com/v1`. See [`Rule`].
    pub fn allow(self, rule: &str) -> Self {
        let parsed = rule.parse::<Rule>().map_err(Error::from);
        self.fallible(parsed, Self::allow_rule)
    }

    /// Allows a target with some methods, or with all if there are none.
    pub fn allow_domain(self, target: &str, methods: &[&str]) -> Self {
        let parsed = Rule::new(target)
            .and_then(|rule| if methods.is_empty() { Ok(rule) } else { rule.methods(methods) })
            .map_err(Error::from);
        self.fallible(parsed, Self::allow_rule)
    }

    /// Allows what a rule says.
    pub fn allow_rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Allows everything below a URL and tells programs of it: the first one is the variable `BASE_URL`, all of them
    /// are the list `ALLOWED_BASE_URLS`, both without a trailing slash.
    pub fn base_url(self, url: &str) -> Self {
        let parsed = Url::parse(url)
            .map_err(|error| Error::invalid(format!("base URL `{url}`: {error}"), "give an absolute http or https URL"))
            .and_then(|parsed| Ok(Rule::for_base_url(&parsed)?));
        let text = url.trim_end_matches('/').to_owned();
        self.fallible(parsed, |mut builder, rule| {
            builder.base_urls.push(text);
            builder.allow_rule(rule)
        })
    }

    /// Forgets the rules and base URLs of layers below one that has a network mode of its own.
    pub(crate) fn without_rules(mut self) -> Self {
        self.rules.clear();
        self.base_urls.clear();
        self
    }

    /// Asks this function for the addresses of a host instead of the system. It is asked once for every new connection, and
    /// about no host that the policy refuses. What it answers counts for no more than what a name server says: the policy
    /// decides about each address.
    pub fn resolver(mut self, resolver: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        self.resolver = Some(Answers::new(resolver));
        self
    }

    /// Has the host add a secret to the requests that its rule is for, once the network policy has allowed them. Programs never
    /// get it: see [`HeaderSecret`].
    pub fn secret(mut self, secret: HeaderSecret) -> Self {
        self.redaction.extend([secret.value().clone()]);
        self.secrets.push(secret);
        self
    }

    /// Has requests that the policy has allowed made by a transport of your own, which may pass them on to the network.
    pub fn http_transport(mut self, transport: impl Transport) -> Self {
        self.http_transport = Some(Arc::new(transport));
        self
    }
}

/// Rules make an allowlist, and nothing else may be said at the same time.
pub(super) fn network(network: Option<Network>, rules: Vec<Rule>) -> Result<Network, Error> {
    let network = match (network, rules.is_empty()) {
        (None, true) => Network::None,
        (None, false) => Network::Allowlist(rules),
        (Some(network), true) => network,
        (Some(Network::Allowlist(mut all)), false) => {
            all.extend(rules);
            Network::Allowlist(all)
        }
        (Some(Network::None | Network::Web | Network::Full), false) => {
            return Err(Error::invalid(
                "rules were given, but the network is not an allowlist",
                "leave the network mode out, or make it `allowlist`",
            ));
        }
    };
    network.validate()?;
    Ok(network)
}
