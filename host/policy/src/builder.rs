//! Collects the parts of a policy and checks them together.

use isolette_types::Error;
use url::Url;
use wildmatch::WildMatch;

use crate::{
    Approval, CapabilityPolicy, CapabilityRule, HeaderSecret, Limits, Mount, OUTPUT, Policy,
    network::{Network, Rule},
};

/// Collects the parts of a policy; [`PolicyBuilder::finish`] checks them together.
///
/// The default denies everything, with every limit finite.
#[derive(Clone, Debug, Default)]
pub struct PolicyBuilder {
    /// The network mode. If it is `None`, the rules form an allowlist.
    pub network: Option<Network>,
    /// Network rules, for an allowlist.
    pub rules: Vec<Rule>,
    /// URLs below which everything is allowed, and which programs receive as variables. See
    /// [`PolicyBuilder::add_base_url`].
    pub base_urls: Vec<String>,
    /// Mounts.
    pub mounts: Vec<Mount>,
    /// Whether every run and every session gets its own empty `/output`.
    pub temporary_output: bool,
    /// Patterns for tool names. If there are any, only tools that match one may be called. `*` matches any text.
    pub tool_patterns: Vec<String>,
    /// Rules for functions of custom interfaces.
    pub capability_rules: Vec<CapabilityRule>,
    /// Secrets that the host adds to requests.
    pub secrets: Vec<HeaderSecret>,
    /// Which calls need approval.
    pub approval: Approval,
    /// Limits.
    pub limits: Limits,
}

impl PolicyBuilder {
    /// Allows everything below a URL. Programs receive the URL without a trailing slash.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if it is not an absolute http or https URL.
    pub fn add_base_url(&mut self, url: &str) -> Result<(), Error> {
        let parsed = Url::parse(url).map_err(|error| {
            Error::invalid(format!("base URL `{url}`: {error}"), "give an absolute http or https URL")
        })?;
        let rule = Rule::for_base_url(&parsed)?;
        self.base_urls.push(url.trim_end_matches('/').to_owned());
        self.rules.push(rule);
        Ok(())
    }

    /// Removes the network rules and base URLs, for a layer above that sets its own network mode.
    pub fn clear_rules(&mut self) {
        self.rules.clear();
        self.base_urls.clear();
    }

    /// Returns whether a tool of this name may be called.
    #[must_use]
    pub fn allows_tool(&self, name: &str) -> bool {
        self.tool_patterns.is_empty() || self.tool_patterns.iter().any(|pattern| WildMatch::new(pattern).matches(name))
    }

    /// Builds the policy for these tools and these custom interfaces, as far as it can be checked without the
    /// directories of its mounts. Tools for which [`PolicyBuilder::allows_tool`] returns `false` are left out.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for parts that contradict each other, and for invalid limits.
    pub fn finish<'a>(self, tools: impl IntoIterator<Item = &'a str>, served: Vec<String>) -> Result<Policy, Error> {
        let tools = tools.into_iter().filter(|name| self.allows_tool(name)).map(ToOwned::to_owned).collect();
        let network = network(self.network, self.rules)?;
        if self.temporary_output && self.mounts.iter().any(|mount| mount.guest == OUTPUT) {
            return Err(Error::invalid(
                "`/output` is to be both temporary and a directory",
                "use either `temp_output` or `output_dir`",
            ));
        }
        if self.limits.http_header_bytes > Limits::MOST_HEADER_BYTES {
            return Err(Error::invalid(
                format!("the limit `http_header_bytes` is {}", self.limits.http_header_bytes),
                format!("use at most {}", Limits::MOST_HEADER_BYTES),
            ));
        }
        check_secrets(&self.secrets, &network)?;
        Ok(Policy {
            network,
            secrets: self.secrets.iter().map(|secret| secret.bound().clone()).collect(),
            mounts: self.mounts,
            tools,
            tool_patterns: self.tool_patterns,
            capabilities: CapabilityPolicy { served, allow: self.capability_rules },
            approval: self.approval,
            limits: self.limits,
        })
    }
}

fn check_secrets(secrets: &[HeaderSecret], network: &Network) -> Result<(), Error> {
    for (index, secret) in secrets.iter().enumerate() {
        let name = &secret.bound().name;
        if secrets[..index].iter().any(|other| other.bound().name == *name) {
            return Err(Error::invalid(
                format!("there are two secrets named `{name}`"),
                "give each secret a name of its own",
            ));
        }
        if *network == Network::None {
            return Err(Error::invalid(
                format!("the secret `{name}` is for requests, and the network is closed"),
                format!("allow what it is for: `{}`", secret.bound().rule),
            ));
        }
    }
    Ok(())
}

/// Rules form an allowlist. They contradict every other network mode.
fn network(network: Option<Network>, rules: Vec<Rule>) -> Result<Network, Error> {
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
