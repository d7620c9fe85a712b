//! Converts a policy file to the parts of a policy.

use isolette_types::Error;

use super::{ApprovalFile, PolicyFile, SecretReference, Secrets, profiles::check_names};
use crate::{Access, Approval, INPUT, Mount, OUTPUT, Policy, PolicyBuilder, check_variable, network::NetworkMode};

impl PolicyFile {
    /// Returns the policy that would be enforced. Nothing is created, and neither the image nor the directories of
    /// mounts nor the secrets need to exist. Profiles that are not selected are only checked by
    /// [`PolicyFile::check_profiles`].
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for the first entry that is invalid.
    pub fn check(&self) -> Result<Policy, Error> {
        let mut parts = PolicyBuilder::default();
        self.clone().resolve()?.add_to(&mut parts, Secrets::LeftOut)?;
        parts.finish([], Vec::new())
    }

    /// Checks every profile that the file defines, selected or not. The results of [`PolicyFile::resolve`] and
    /// [`PolicyFile::over`] have none.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] with the name of the first invalid profile.
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

    /// Checks that a profile is valid for a file that may add what the profile leaves open: rules, and the sources of
    /// secrets.
    fn check_profile(&self, name: &str) -> Result<(), Error> {
        let mut alone = Self { profile: Some(name.to_owned()), ..Self::default() }.founded_on(&self.profiles)?;
        alone.network = None;
        for (name, mut secret) in std::mem::take(&mut alone.secrets) {
            if secret.rule.is_some() {
                secret.from.get_or_insert_with(|| SecretReference::Variable(String::new()));
                secret.bound(&name, Secrets::LeftOut)?;
            }
        }
        let mut parts = PolicyBuilder::default();
        alone.add_to(&mut parts, Secrets::LeftOut)?;
        parts.finish([], Vec::new()).map(drop)
    }

    /// Adds the settings of the file to the parts of a policy, over those already set. Call it on a file that
    /// [`PolicyFile::resolve`] returned. Language, isolation, image and variables are not part of a policy; the code
    /// that builds a sandbox reads them from the fields.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for the first entry that is invalid; [`Error::Io`] if a secret cannot be read.
    pub fn add_to(&self, parts: &mut PolicyBuilder, secrets: Secrets) -> Result<(), Error> {
        self.add_mounts(parts)?;
        self.variables.keys().try_for_each(|name| check_variable(name))?;
        self.add_network(parts)?;
        for (name, secret) in &self.secrets {
            parts.secrets.push(secret.bound(name, secrets)?);
        }
        parts.tool_patterns.extend(self.tools.iter().cloned());
        for rule in &self.capabilities {
            parts.capability_rules.push(rule.parse()?);
        }
        if let Some(approval) = &self.approval {
            parts.approval = approval.approval()?;
        }
        let limits = &mut parts.limits;
        if let Some(timeout) = self.timeout {
            // A run with a longer timeout may also use more CPU time and sleep for longer.
            (limits.cpu_time, limits.sleep) = (limits.cpu_time.max(timeout), limits.sleep.max(timeout));
            limits.timeout = timeout;
        }
        limits.memory = self.memory.unwrap_or(limits.memory);
        self.limits.put_into(limits);
        Ok(())
    }

    fn add_mounts(&self, parts: &mut PolicyBuilder) -> Result<(), Error> {
        for mount in &self.mounts {
            parts.mounts.push(Mount::new(&mount.host, &mount.guest, mount.access)?);
        }
        if let Some(input) = &self.input {
            parts.mounts.push(Mount::new(input, INPUT, Access::ReadOnly)?);
        }
        if let Some(output) = &self.output {
            parts.mounts.push(Mount::new(output, OUTPUT, Access::ReadWrite)?);
        }
        Ok(())
    }

    fn add_network(&self, parts: &mut PolicyBuilder) -> Result<(), Error> {
        if self.network.is_some_and(NetworkMode::has_no_rules) {
            parts.clear_rules();
        }
        for rule in &self.allow {
            parts.rules.push(rule.parse()?);
        }
        for url in &self.base_urls {
            parts.add_base_url(url)?;
        }
        if let Some(mode) = self.network {
            parts.network = Some(mode.into());
        }
        Ok(())
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
