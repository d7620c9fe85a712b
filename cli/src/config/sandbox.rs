//! `[sandbox]`: what programs may do.

use std::{collections::BTreeMap, fs, path::PathBuf, time::Duration};

use isolette::{
    Error, Isolation, Language, Sandbox, SandboxBuilder,
    policy::{
        Access, Approval, Limits,
        network::{Network, Rule},
    },
};
use serde::Deserialize;
use serde_json::Value;

use super::values;
use crate::arguments::{NetworkMode, SandboxOptions};

/// What a sandbox is made of.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SandboxConfig {
    /// What programs may be written in; the first is the language of a program that does not say.
    #[serde(deserialize_with = "values::languages")]
    pub(crate) languages: Vec<Language>,
    #[serde(deserialize_with = "values::isolation")]
    pub(crate) isolation: Option<Isolation>,
    pub(crate) image: Option<PathBuf>,
    pub(crate) network: Option<NetworkMode>,
    pub(crate) allow: Vec<String>,
    pub(crate) base_urls: Vec<String>,
    pub(crate) mounts: Vec<MountConfig>,
    pub(crate) input: Option<PathBuf>,
    pub(crate) output: Option<PathBuf>,
    pub(crate) variables: BTreeMap<String, Value>,
    #[serde(deserialize_with = "values::duration")]
    pub(crate) timeout: Option<Duration>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) memory: Option<u64>,
    pub(crate) approval: Option<ApprovalConfig>,
    pub(crate) limits: LimitsConfig,
}

/// What somebody has to agree to: a mode by its name, or rules.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum ApprovalConfig {
    /// `never`, `always` or `per-call`.
    Mode(String),
    /// The first that matches decides.
    Rules(Vec<String>),
}

impl ApprovalConfig {
    fn approval(&self) -> Result<Approval, Error> {
        let rules = match self {
            Self::Mode(mode) => match mode.as_str() {
                "never" => return Ok(Approval::Never),
                "always" => return Ok(Approval::Always),
                "per-call" => return Ok(Approval::PerCall),
                rule => vec![rule.to_owned()],
            },
            Self::Rules(rules) => rules.clone(),
        };
        rules.iter().map(|rule| rule.parse()).collect::<Result<_, _>>().map(Approval::Rules)
    }
}

/// A directory that programs see.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MountConfig {
    pub(crate) host: PathBuf,
    pub(crate) guest: String,
    #[serde(default = "read_only", deserialize_with = "values::access")]
    pub(crate) access: Access,
}

fn read_only() -> Access {
    Access::ReadOnly
}

/// Limits that the command line has no flag for.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LimitsConfig {
    #[serde(deserialize_with = "values::size")]
    pub(crate) code: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) stdout: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) stderr: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) value: Option<u64>,
    pub(crate) tool_calls: Option<u64>,
    pub(crate) http_requests: Option<u64>,
    #[serde(deserialize_with = "values::size")]
    pub(crate) http_body: Option<u64>,
}

impl SandboxConfig {
    /// What the command line says goes over what the file says; lists are put together.
    pub(crate) fn with(mut self, options: SandboxOptions) -> Self {
        self.isolation = options.isolation.or(self.isolation);
        self.image = options.image.or(self.image);
        self.network = options.network.or(self.network);
        self.allow.extend(options.allow);
        self.base_urls.extend(options.base_url);
        self.mounts.extend(options.mount.into_iter().map(|mount| MountConfig {
            host: mount.host,
            guest: mount.guest,
            access: mount.access,
        }));
        self.input = options.input.or(self.input);
        self.output = options.output.or(self.output);
        self.variables.extend(options.variables);
        self.timeout = options.timeout.or(self.timeout);
        self.memory = options.memory.or(self.memory);
        self
    }

    /// A builder for programs in a language.
    pub(crate) fn builder(&self, language: Language) -> Result<SandboxBuilder, Error> {
        let mut builder = Sandbox::builder()
            .language(language)
            .isolation(self.isolation.unwrap_or_default())
            .limits(self.limits.over(self.timeout, self.memory));
        if let Some(image) = &self.image {
            builder = builder.image(image);
        }
        for mount in &self.mounts {
            builder = builder.mount(&mount.host, &mount.guest, mount.access);
        }
        if let Some(input) = &self.input {
            builder = builder.input_dir(input);
        }
        if let Some(output) = &self.output {
            fs::create_dir_all(output)
                .map_err(|source| Error::Io { context: format!("cannot create `{}`", output.display()), source })?;
            builder = builder.output_dir(output);
        }
        for (name, value) in &self.variables {
            builder = builder.variable(name, value.clone());
        }
        for rule in &self.allow {
            builder = builder.allow(rule);
        }
        for url in &self.base_urls {
            builder = builder.base_url(url);
        }
        if let Some(approval) = &self.approval {
            builder = builder.approval(approval.approval()?);
        }
        Ok(match self.network {
            None => builder,
            Some(NetworkMode::None) => builder.network(Network::None),
            Some(NetworkMode::Full) => builder.network(Network::Full),
            Some(NetworkMode::Allowlist) => builder.network(Network::Allowlist(Vec::<Rule>::new())),
        })
    }
}

impl LimitsConfig {
    fn over(&self, timeout: Option<Duration>, memory: Option<u64>) -> Limits {
        let mut limits = Limits::default();
        limits.wall_time = timeout.unwrap_or(limits.wall_time);
        limits.memory = memory.unwrap_or(limits.memory);
        limits.code = self.code.unwrap_or(limits.code);
        limits.stdout = self.stdout.unwrap_or(limits.stdout);
        limits.stderr = self.stderr.unwrap_or(limits.stderr);
        limits.value = self.value.unwrap_or(limits.value);
        limits.tool_calls = self.tool_calls.unwrap_or(limits.tool_calls);
        limits.http_requests = self.http_requests.unwrap_or(limits.http_requests);
        limits.http_body = self.http_body.unwrap_or(limits.http_body);
        limits
    }
}
