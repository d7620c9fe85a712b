//! Methods for the network: which requests are allowed, and how they are sent.

use std::{io, net::IpAddr, sync::Arc};

use super::SandboxBuilder;
use isolette_http::{Answers, Transport};
use isolette_policy::{HeaderSecret, network::Network, network::Rule};
use isolette_types::Error;

impl SandboxBuilder {
    /// Sets the network mode. Without this, a builder with rules ([`SandboxBuilder::allow`]) has an allowlist.
    pub fn network(mut self, network: Network) -> Self {
        self.policy.network = Some(network);
        self
    }

    /// Allows the requests that a rule describes: `api.example.com`, `*.example.com`, `GET https://api.example.com/v1`.
    /// See [`Rule`].
    pub fn allow(self, rule: &str) -> Self {
        let parsed = rule.parse::<Rule>().map_err(Error::from);
        self.fallible(parsed, Self::allow_rule)
    }

    /// Allows requests to a target with the given methods, or with all methods if there are none.
    pub fn allow_domain(self, target: &str, methods: &[&str]) -> Self {
        let parsed = Rule::new(target)
            .and_then(|rule| if methods.is_empty() { Ok(rule) } else { rule.methods(methods) })
            .map_err(Error::from);
        self.fallible(parsed, Self::allow_rule)
    }

    /// Allows the requests that a rule describes.
    pub fn allow_rule(mut self, rule: Rule) -> Self {
        self.policy.rules.push(rule);
        self
    }

    /// Allows all requests below a URL and passes the URL to programs: the first one is the variable `BASE_URL`, all of
    /// them are the list `ALLOWED_BASE_URLS`, both without a trailing slash.
    pub fn base_url(mut self, url: &str) -> Self {
        let added = self.policy.add_base_url(url);
        self.fallible(added, |builder, ()| builder)
    }

    /// Resolves host names with this function instead of the system. It is called once for every new connection, and
    /// only for hosts that the policy allows. The policy decides about each address that it returns, as about those of
    /// a name server.
    pub fn resolver(mut self, resolver: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        self.grants.resolver = Some(Answers::new(resolver));
        self
    }

    /// Makes the host add a secret to the requests that its rule matches, after the network policy has allowed them.
    /// Programs never get the secret: see [`HeaderSecret`].
    pub fn secret(mut self, secret: HeaderSecret) -> Self {
        Arc::make_mut(&mut self.oversight.redaction).extend([secret.value().clone()]);
        self.policy.secrets.push(secret);
        self
    }

    /// Sends the requests that the policy has allowed through a transport of the embedder, which may pass them on to
    /// the network.
    pub fn http_transport(mut self, transport: impl Transport) -> Self {
        self.grants.transport = Some(Arc::new(transport));
        self
    }
}
