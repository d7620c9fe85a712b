//! Policy files in TOML.
//!
//! This is the only schema for policies in text, for `isolette policy`, `--policy` and the `[sandbox]` table of
//! `isolette.toml`. It only represents the file; the builder derives the policy from it and checks every part.

mod apply;
mod limits;
mod mistake;
mod profiles;
mod secret;
#[cfg(test)]
mod tests;
mod text;
mod values;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::{
    limits::LimitsFile,
    mistake::toml_mistake,
    secret::{SecretFile, SecretReference, Secrets},
    values::{parse_duration, parse_size},
};
use super::{Access, network::NetworkMode, text_file::read_text_within};
use isolette_types::{Dialect, Error, Isolation, Language, ToolCalls, is_image_name};

/// Maximum length of a file in bytes. Policy files are written by hand and are shorter.
const LENGTH_LIMIT: u64 = 1 << 20;

/// The contents of a policy file. A setting that the file does not have keeps the value of the next layer below: a
/// profile, another file, or the defaults.
///
/// ```
/// use isolette::policy::{PolicyFile, network::Network};
///
/// let file = PolicyFile::parse("profile = 'web'\ntimeout = '5s'\n[limits]\nstdout = '64KiB'").unwrap();
/// let policy = file.check().unwrap();
/// assert_eq!(policy.network, Network::Web);
/// assert_eq!(policy.limits.timeout.as_secs(), 5);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct PolicyFile {
    /// The profile that the file is based on: `locked`, `web`, `full`, or one of `profiles`. Default: `locked`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The languages that programs may use; the first one is the default.
    #[serde(
        deserialize_with = "values::languages",
        serialize_with = "text::names",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub languages: Vec<Language>,
    /// The isolation of programs from the machine.
    #[serde(
        deserialize_with = "values::parsed",
        serialize_with = "text::shown",
        skip_serializing_if = "Option::is_none"
    )]
    pub isolation: Option<Isolation>,
    /// What calls of tools and of functions of custom interfaces return: `auto`, `sync` or `async`.
    #[serde(
        deserialize_with = "values::parsed",
        serialize_with = "text::shown",
        skip_serializing_if = "Option::is_none"
    )]
    pub tool_calls: Option<ToolCalls>,
    /// The names and conventions by which programs call tools.
    #[serde(
        deserialize_with = "values::parsed",
        serialize_with = "text::shown",
        skip_serializing_if = "Option::is_none"
    )]
    pub dialect: Option<Dialect>,
    /// The image: its directory, as a path with a `/`, or its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<PathBuf>,
    /// The network mode. With rules and without a mode, it is an allowlist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkMode>,
    /// Network rules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<String>,
    /// URLs below which everything is allowed, and which are passed to programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub base_urls: Vec<String>,
    /// Mounts: directories that programs can access.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mounts: Vec<MountFile>,
    /// The directory mounted at `/input`, read-only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<PathBuf>,
    /// The directory mounted at `/output`, read-write; it is created if it does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    /// Patterns such as `github.get_*`: of the registered tools, only those that match one may be called. Without any
    /// pattern, all may.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// Rules for the functions of registered custom interfaces that may be called: `acme:weather/forecast.get`. Without
    /// any rule, all may.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<String>,
    /// Secrets that the host adds to requests, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub secrets: BTreeMap<String, SecretFile>,
    /// Global variables of programs, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, Value>,
    /// The timeout of a run: its maximum wall time.
    #[serde(
        deserialize_with = "values::duration",
        serialize_with = "text::time",
        skip_serializing_if = "Option::is_none"
    )]
    pub timeout: Option<Duration>,
    /// Maximum memory of a guest in bytes, interpreter included.
    #[serde(
        deserialize_with = "values::memory",
        serialize_with = "text::size",
        skip_serializing_if = "Option::is_none"
    )]
    pub memory: Option<u64>,
    /// Which calls need approval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalFile>,
    /// All other limits.
    #[serde(skip_serializing_if = "LimitsFile::is_empty")]
    pub limits: LimitsFile,
    /// Profiles that this file defines, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub profiles: BTreeMap<String, PolicyFile>,
}

/// A directory that programs can access.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct MountFile {
    /// The path on the host.
    pub host: PathBuf,
    /// The path in the guest.
    pub guest: String,
    /// What the guest may do there. Default: read.
    #[serde(default = "read_only", deserialize_with = "values::access", serialize_with = "text::access")]
    pub access: Access,
}

fn read_only() -> Access {
    Access::ReadOnly
}

/// Which calls need approval: the name of a mode, or rules.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged)]
pub enum ApprovalFile {
    /// `never`, `always` or `per-call`; any other text is a rule.
    Mode(String),
    /// Rules, of which the first that matches decides.
    Rules(Vec<String>),
}

impl PolicyFile {
    /// Reads a file. Relative paths in it are relative to the directory of the file.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read; [`Error::InvalidArgument`] with the line and, for an unknown key, the most
    /// similar known one, and for a file longer than 1 MiB.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let failed = |source| Error::io(format!("cannot read `{}`", path.display()), source);
        let text = read_text_within(path, LENGTH_LIMIT).map_err(failed)?.ok_or_else(|| {
            Error::invalid(format!("`{}` is longer than {LENGTH_LIMIT} bytes", path.display()), "name a policy file")
        })?;
        let mut file = Self::parse(&text).map_err(|error| match error {
            Error::InvalidArgument { message, hint } => {
                Error::invalid(format!("`{}`: {message}", path.display()), hint)
            }
            other => other,
        })?;
        file.resolve_paths(path.parent().unwrap_or(Path::new("")));
        Ok(file)
    }

    /// Parses the text of a file.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] as [`PolicyFile::read`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        toml::from_str(text).map_err(|error| {
            let (message, hint) = toml_mistake(&error, text, "docs/policy.md");
            Error::invalid(message, hint)
        })
    }

    /// Resolves relative paths against a directory.
    pub fn resolve_paths(&mut self, folder: &Path) {
        let resolve = |path: &mut PathBuf| *path = folder.join(&*path);
        let image = self.image.as_mut().filter(|place| !is_image_name(place));
        [image, self.input.as_mut(), self.output.as_mut()].into_iter().flatten().for_each(resolve);
        self.mounts.iter_mut().for_each(|mount| resolve(&mut mount.host));
        self.secrets.values_mut().filter_map(|secret| secret.from.as_mut()).for_each(|from| from.resolve(folder));
        self.profiles.values_mut().for_each(|profile| profile.resolve_paths(folder));
    }

    /// Merges this file over another one: single settings replace those below, lists are appended. A network mode other
    /// than `allowlist` also replaces the network rules and base URLs below. Both files are resolved first, so that
    /// each has the settings of its own profile.
    ///
    /// # Errors
    /// The errors of [`PolicyFile::resolve`].
    pub fn over(self, below: Self) -> Result<Self, Error> {
        Ok(self.resolve()?.laid_over(below.resolve()?))
    }

    fn laid_over(self, below: Self) -> Self {
        let mut merged = below;
        // Rules restrict a network mode of a layer below. Otherwise they would have no effect, and suggest that they
        // had.
        let narrows = self.network.is_none() && !(self.allow.is_empty() && self.base_urls.is_empty());
        merged.network = match self.network {
            None if narrows && merged.network.is_some() => Some(NetworkMode::Allowlist),
            own => own.or(merged.network),
        };
        // A mode that allows everything or nothing contradicts the rules of the layers below.
        if self.network.is_some_and(NetworkMode::has_no_rules) {
            merged.allow.clear();
            merged.base_urls.clear();
        }
        merged.profile = self.profile.or(merged.profile);
        if !self.languages.is_empty() {
            merged.languages = self.languages;
        }
        merged.isolation = self.isolation.or(merged.isolation);
        merged.tool_calls = self.tool_calls.or(merged.tool_calls);
        merged.dialect = self.dialect.or(merged.dialect);
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
