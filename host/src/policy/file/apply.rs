//! From what a file says to what is enforced.

use std::fs;

use super::{ApprovalFile, NetworkMode, PolicyFile, SecretReference, profiles::check_names};
use crate::{
    Error, Sandbox, SandboxBuilder,
    policy::{Approval, Policy, network::Network},
};

impl PolicyFile {
    /// What would be enforced. Nothing is created, and neither an image nor the directories of mounts nor secrets need be
    /// there. Profiles that are not chosen are for [`PolicyFile::check_profiles`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for whatever cannot be used.
    pub fn check(&self) -> Result<Policy, Error> {
        self.clone().resolve()?.put_into(Sandbox::builder(), false)?.into_policy()
    }

    /// Whether every profile that is defined here can be used, chosen or not. What is left of a file after
    /// [`PolicyFile::resolve`] and [`PolicyFile::over`] has none.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] with the name of the first that cannot.
    pub fn check_profiles(&self) -> Result<(), Error> {
        check_names(&self.profiles)?;
        self.profiles.keys().try_for_each(|name| {
            self.check_profile(name).map_err(|error| match error {
                Error::InvalidArgument { message, hint } => {
                    Error::invalid(format!("the profile `{name}`: {message}"), hint)
                }
                other => other,
            })
        })
    }

    /// Whether a profile can be used by somebody, who may say what it leaves open: rules, and where secrets are.
    fn check_profile(&self, name: &str) -> Result<(), Error> {
        let mut alone = Self { profile: Some(name.to_owned()), ..Self::default() }.founded_on(&self.profiles)?;
        alone.network = None;
        for (name, mut secret) in std::mem::take(&mut alone.secrets) {
            if secret.rule.is_some() {
                secret.from.get_or_insert_with(|| SecretReference::Variable(String::new()));
                secret.bound(&name, false)?;
            }
        }
        alone.put_into(Sandbox::builder(), false)?.into_policy().map(drop)
    }

    /// Has a builder do what the file says, over what the builder was told before.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] as [`PolicyFile::resolve`], and for approval rules and secrets; [`Error::Io`] if `output`
    /// cannot be created or a secret cannot be read. Other mistakes are told by [`SandboxBuilder::build`].
    pub fn apply(&self, builder: SandboxBuilder) -> Result<SandboxBuilder, Error> {
        let file = self.clone().resolve()?;
        if let Some(output) = &file.output {
            fs::create_dir_all(output)
                .map_err(|error| Error::io(format!("cannot create `{}`", output.display()), error))?;
        }
        file.put_into(builder, true)
    }

    /// Secrets are read only where they will be needed.
    fn put_into(self, mut builder: SandboxBuilder, read_secrets: bool) -> Result<SandboxBuilder, Error> {
        if let Some(language) = self.languages.first() {
            builder = builder.language(*language);
        }
        if let Some(isolation) = self.isolation {
            builder = builder.isolation(isolation);
        }
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
            builder = builder.output_dir(output);
        }
        for (name, value) in &self.variables {
            builder = builder.variable(name, value.clone());
        }
        if self.network.is_some_and(NetworkMode::has_no_rules) {
            builder = builder.without_rules();
        }
        for rule in &self.allow {
            builder = builder.allow(rule);
        }
        for url in &self.base_urls {
            builder = builder.base_url(url);
        }
        for (name, secret) in &self.secrets {
            builder = builder.secret(secret.bound(name, read_secrets)?);
        }
        for pattern in &self.tools {
            builder = builder.only_tools(pattern);
        }
        for rule in &self.capabilities {
            builder = builder.allow_capability(rule);
        }
        if let Some(approval) = &self.approval {
            builder = builder.approval(approval.approval()?);
        }
        let mut limits = builder.current_limits().clone();
        if let Some(timeout) = self.timeout {
            // Who gives a run more time means it to be used.
            (limits.cpu_time, limits.sleep) = (limits.cpu_time.max(timeout), limits.sleep.max(timeout));
            limits.wall_time = timeout;
        }
        limits.memory = self.memory.unwrap_or(limits.memory);
        self.limits.put_into(&mut limits);
        builder = builder.limits(limits);
        Ok(match self.network {
            None => builder,
            Some(NetworkMode::None) => builder.network(Network::None),
            Some(NetworkMode::Allowlist) => builder.network(Network::Allowlist(Vec::new())),
            Some(NetworkMode::Web) => builder.network(Network::Web),
            Some(NetworkMode::Full) => builder.network(Network::Full),
        })
    }
}

impl ApprovalFile {
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
