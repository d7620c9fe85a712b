//! `isolette policy`, and what the flags of every command that runs programs amount to.

use std::process::ExitCode;

use isolette::{
    Error, Language, Sandbox, SandboxBuilder,
    policy::{self, PolicyFile, SecretReference},
};

use crate::{
    arguments::{NetworkMode, Policy, PolicyChoice, SandboxOptions},
    exit, report,
};

pub(crate) fn policy(command: Policy) -> ExitCode {
    match look(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => exit::fail(&error),
    }
}

fn look(command: Policy) -> Result<(), Error> {
    match command {
        Policy::Check(choice) => {
            let json = choice.json;
            let file = choice.file.clone().or_else(|| choice.sandbox.policy.clone());
            let policy = effective(choice)?;
            if let Some(file) = file {
                PolicyFile::read(&file)?.check_profiles()?;
            }
            if json {
                report::print(&serde_json::json!({ "usable": true }));
            } else {
                report::line(&format!("the policy can be used (network {})", policy.network));
            }
        }
        Policy::Show(choice) => {
            let json = choice.json;
            let policy = effective(choice)?;
            if json {
                report::print(&policy);
            } else {
                report::line(&policy.to_string());
            }
        }
    }
    Ok(())
}

fn effective(choice: PolicyChoice) -> Result<policy::Policy, Error> {
    let mut options = choice.sandbox;
    if choice.file.is_some() && options.policy.is_some() {
        return Err(Error::InvalidArgument {
            message: "two policy files are named".into(),
            hint: "name one, either alone or with `--policy`".into(),
        });
    }
    options.policy = choice.file.or(options.policy);
    options.over(PolicyFile::default())?.check()
}

impl SandboxOptions {
    /// The flags, over the policy file that they name, over what a configuration file says.
    pub(crate) fn over(self, below: PolicyFile) -> Result<PolicyFile, Error> {
        let mut file = match &self.policy {
            Some(path) => PolicyFile::read(path)?,
            None => PolicyFile::default(),
        };
        let below = match self.policy_profile {
            // A configuration file may define it as well.
            Some(profile) if self.policy.is_none() => {
                let mut below = below;
                below.profile = Some(profile);
                below
            }
            profile => {
                file.profile = profile.or(file.profile);
                below
            }
        };
        let mut flags = PolicyFile::default();
        flags.isolation = self.isolation;
        flags.image = self.image;
        flags.network = self.network.map(|mode| match mode {
            NetworkMode::None => policy::NetworkMode::None,
            NetworkMode::Allowlist => policy::NetworkMode::Allowlist,
            NetworkMode::Web => policy::NetworkMode::Web,
            NetworkMode::Full => policy::NetworkMode::Full,
        });
        flags.allow = self.allow;
        flags.base_urls = self.base_url;
        for text in &self.secret {
            let (name, place) = text.split_once('=').unwrap_or(("", text));
            flags.secrets.entry(name.to_owned()).or_default().from = Some(secret("--secret", place)?);
        }
        for (name, rule) in self.secret_rule {
            flags.secrets.entry(name).or_default().rule = Some(rule);
        }
        for (name, header) in self.secret_header {
            flags.secrets.entry(name).or_default().header = Some(header);
        }
        flags.mounts = self.mount;
        flags.input = self.input;
        flags.output = self.output;
        flags.variables = self.variables.into_iter().collect();
        flags.timeout = self.timeout;
        flags.memory = self.memory;
        flags.over(file)?.over(below)
    }
}

/// Where a secret is that a flag names. What is wrong may be the secret itself, so it is not repeated.
pub(crate) fn secret(flag: &str, place: &str) -> Result<SecretReference, Error> {
    place.parse().map_err(|why| Error::InvalidArgument {
        message: format!("the value of `{flag}` cannot be used: {why}"),
        hint: "put the secret into a variable of the environment or into a file".into(),
    })
}

/// A builder for programs in a language.
pub(crate) fn builder(policy: &PolicyFile, language: Language) -> SandboxBuilder {
    Sandbox::builder().policy_file(policy).language(language)
}
