//! Which requests may leave, and how they get where they lead.

use std::{io, net::IpAddr, sync::Arc};

use super::SandboxBuilder;
use isolette_http::{Answers, Transport};
use isolette_policy::{HeaderSecret, network::Network, network::Rule};
use isolette_types::Error;

impl SandboxBuilder {
    /// Sets the network as a whole. Without this and with [`SandboxBuilder::allow`] it is an allowlist.
    pub fn network(mut self, network: Network) -> Self {
        self.policy.network = Some(network);
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
        self.policy.rules.push(rule);
        self
    }

    /// Allows everything below a URL and tells programs of it: the first one is the variable `BASE_URL`, all of them
    /// are the list `ALLOWED_BASE_URLS`, both without a trailing slash.
    pub fn base_url(mut self, url: &str) -> Self {
        let added = self.policy.add_base_url(url);
        self.fallible(added, |builder, ()| builder)
    }

    /// Asks this function for the addresses of a host instead of the system. It is asked once for every new connection, and
    /// about no host that the policy refuses. What it answers counts for no more than what a name server says: the policy
    /// decides about each address.
    pub fn resolver(mut self, resolver: impl Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync + 'static) -> Self {
        self.grants.resolver = Some(Answers::new(resolver));
        self
    }

    /// Has the host add a secret to the requests that its rule is for, once the network policy has allowed them. Programs never
    /// get it: see [`HeaderSecret`].
    pub fn secret(mut self, secret: HeaderSecret) -> Self {
        Arc::make_mut(&mut self.oversight.redaction).extend([secret.value().clone()]);
        self.policy.secrets.push(secret);
        self
    }

    /// Has requests that the policy has allowed made by a transport of your own, which may pass them on to the network.
    pub fn http_transport(mut self, transport: impl Transport) -> Self {
        self.grants.transport = Some(Arc::new(transport));
        self
    }
}
