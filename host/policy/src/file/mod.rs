//! A policy as people write it: TOML.
//!
//! This is the one schema. `isolette policy`, `--policy` and the `[sandbox]` table of `isolette.toml` all come here. It says
//! what the file says and nothing else; what that amounts to is worked out by the builder, which checks every part of it.

mod apply;
mod limits;
mod mistake;
mod profiles;
mod secret;
#[cfg(test)]
mod tests;
mod values;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;
use serde_json::Value;

pub use self::{
    limits::LimitsFile,
    mistake::toml_mistake,
    secret::{SecretFile, SecretReference, Secrets},
    values::{parse_duration, parse_size},
};
use super::Access;
use isolette_types::{Error, Isolation, Language};

/// A file is written by hand. Nothing longer is one.
const LENGTH_LIMIT: u64 = 1 << 20;

/// What a policy file says. What it does not say is as the next layer below has it: a profile, another file, the defaults.
///
/// ```
/// use isolette::policy::{PolicyFile, network::Network};
///
/// let file = PolicyFile::parse("profile = 'web'\ntimeout = '5s'\n[limits]\nstdout = '64KiB'").unwrap();
/// let policy = file.check().unwrap();
/// assert_eq!(policy.network, Network::Web);
/// assert_eq!(policy.limits.wall_time.as_secs(), 5);
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct PolicyFile {
    /// What it starts from: `locked`, `web`, `full`, or one of `profiles`. Default: `locked`.
    pub profile: Option<String>,
    /// What programs may be written in; the first is the language of a program that does not say.
    #[serde(deserialize_with = "values::languages")]
    pub languages: Vec<Language>,
    /// What stands between programs and the machine.
    #[serde(deserialize_with = "values::isolation")]
    pub isolation: Option<Isolation>,
    /// The directory of the image.
    pub image: Option<PathBuf>,
    /// Which requests may leave. With rules and without a mode, those that a rule allows.
    pub network: Option<NetworkMode>,
    /// Network rules.
    pub allow: Vec<String>,
    /// URLs below which everything is allowed, and which programs are told of.
    pub base_urls: Vec<String>,
    /// Directories that programs see.
    pub mounts: Vec<MountFile>,
    /// The directory at `/input`, read-only.
    pub input: Option<PathBuf>,
    /// The directory at `/output`, read-write; it is created if need be.
    pub output: Option<PathBuf>,
    /// Patterns such as `github.get_*`: of the tools that are lent, only those may be called that match one. Without any,
    /// all may.
    pub tools: Vec<String>,
    /// What may be called of the custom interfaces that are lent: `acme:weather/forecast.get`. Without any, everything.
    pub capabilities: Vec<String>,
    /// Secrets that are added to requests, by name.
    pub secrets: BTreeMap<String, SecretFile>,
    /// Globals.
    pub variables: BTreeMap<String, Value>,
    /// Wall time of a run.
    #[serde(deserialize_with = "values::duration")]
    pub timeout: Option<Duration>,
    /// Memory of a guest, interpreter included.
    #[serde(deserialize_with = "values::memory")]
    pub memory: Option<u64>,
    /// What somebody has to agree to.
    pub approval: Option<ApprovalFile>,
    /// All other limits.
    pub limits: LimitsFile,
    /// Profiles of its own, by name.
    pub profiles: BTreeMap<String, PolicyFile>,
}

/// Which requests may leave, as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum NetworkMode {
    /// None.
    None,
    /// Those that a rule allows.
    Allowlist,
    /// Those that only read, from public addresses over https.
    Web,
    /// All to public addresses.
    Full,
}

impl NetworkMode {
    /// It says everything, and rules beside it would contradict it.
    pub(super) fn has_no_rules(self) -> bool {
        match self {
            Self::None | Self::Web | Self::Full => true,
            Self::Allowlist => false,
        }
    }
}

/// A directory that programs see.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MountFile {
    /// The host's directory.
    pub host: PathBuf,
    /// The guest's path.
    pub guest: String,
    /// What the guest may do there. Default: read.
    #[serde(default = "read_only", deserialize_with = "values::access")]
    pub access: Access,
}

fn read_only() -> Access {
    Access::ReadOnly
}

/// What somebody has to agree to: a mode by its name, or rules.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum ApprovalFile {
    /// `never`, `always` or `per-call`; anything else is a rule.
    Mode(String),
    /// The first that matches decides.
    Rules(Vec<String>),
}

impl PolicyFile {
    /// Reads a file. Paths in it are meant from where it is.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read; [`Error::InvalidArgument`] with the line and, for an unknown key, the nearest
    /// known one.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let failed = |source| Error::io(format!("cannot read `{}`", path.display()), source);
        if fs::metadata(path).map_err(failed)?.len() > LENGTH_LIMIT {
            return Err(Error::invalid(
                format!("`{}` is longer than {LENGTH_LIMIT} bytes", path.display()),
                "name a policy file",
            ));
        }
        let text = fs::read_to_string(path).map_err(failed)?;
        let mut file = Self::parse(&text).map_err(|error| match error {
            Error::InvalidArgument { message, hint } => {
                Error::invalid(format!("`{}`: {message}", path.display()), hint)
            }
            other => other,
        })?;
        file.resolve_paths(path.parent().unwrap_or(Path::new("")));
        Ok(file)
    }

    /// Reads its text.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] as [`PolicyFile::read`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        toml::from_str(text).map_err(|error| {
            let (message, hint) = toml_mistake(&error, text, "docs/policy.md");
            Error::invalid(message, hint)
        })
    }

    /// Takes relative paths as meant from a folder.
    pub fn resolve_paths(&mut self, folder: &Path) {
        let resolve = |path: &mut PathBuf| *path = folder.join(&*path);
        [&mut self.image, &mut self.input, &mut self.output].into_iter().flatten().for_each(resolve);
        self.mounts.iter_mut().for_each(|mount| resolve(&mut mount.host));
        self.secrets.values_mut().filter_map(|secret| secret.from.as_mut()).for_each(|from| from.resolve(folder));
        self.profiles.values_mut().for_each(|profile| profile.resolve_paths(folder));
    }

    /// Lays this over another: single settings replace those below, lists are put together. A network mode other than
    /// `allowlist` replaces the network rules and base URLs below too. Both are resolved first, so
    /// that each is what its own profile makes of it.
    ///
    /// # Errors
    /// As [`PolicyFile::resolve`].
    pub fn over(self, below: Self) -> Result<Self, Error> {
        Ok(self.resolve()?.laid_over(below.resolve()?))
    }

    fn laid_over(self, below: Self) -> Self {
        let mut merged = below;
        // Rules narrow what a layer below left open. The other way round they would do nothing, and say otherwise.
        let narrows = self.network.is_none() && !(self.allow.is_empty() && self.base_urls.is_empty());
        merged.network = match self.network {
            None if narrows && merged.network.is_some() => Some(NetworkMode::Allowlist),
            own => own.or(merged.network),
        };
        // Whoever says that all or nothing leaves does not mean the rules below, which say something else.
        if self.network.is_some_and(NetworkMode::has_no_rules) {
            merged.allow.clear();
            merged.base_urls.clear();
        }
        merged.profile = self.profile.or(merged.profile);
        if !self.languages.is_empty() {
            merged.languages = self.languages;
        }
        merged.isolation = self.isolation.or(merged.isolation);
        merged.image = self.image.or(merged.image);
        merged.allow.extend(self.allow);
        merged.base_urls.extend(self.base_urls);
        merged.mounts.extend(self.mounts);
        merged.input = self.input.or(merged.input);
        merged.output = self.output.or(merged.output);
        merged.tools.extend(self.tools);
        merged.capabilities.extend(self.capabilities);
        for (name, secret) in self.secrets {
            let below = merged.secrets.remove(&name).unwrap_or_default();
            merged.secrets.insert(name, secret.over(below));
        }
        merged.variables.extend(self.variables);
        merged.timeout = self.timeout.or(merged.timeout);
        merged.memory = self.memory.or(merged.memory);
        merged.approval = self.approval.or(merged.approval);
        merged.limits = self.limits.over(merged.limits);
        merged
    }
}
