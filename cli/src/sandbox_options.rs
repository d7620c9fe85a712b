//! The options of all commands that run programs, and the policy that they result in.

use std::{mem, path::PathBuf, time::Duration};

use clap::{
    Args,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use isolette::{
    Dialect, Error, Isolation, Language, LimitName, Sandbox, SandboxBuilder, ToolCalls,
    policy::{
        Access, LimitDescription, MountFile, NetworkMode, PolicyFile, SecretReference, parse_duration, parse_size,
    },
    values::{LostDigits, ReadError, read_json},
};
use serde_json::Value;

/// The options of a sandbox. Unset options fall back to the configuration file, then to the defaults in the help.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub(crate) struct SandboxOptions {
    /// Read a policy from this file (docs/policy.md). Other flags override it.
    #[arg(long, value_name = "FILE", help_heading = "Policy")]
    pub(crate) policy: Option<PathBuf>,
    /// Start from this profile: locked (nothing is allowed), web (GET and HEAD over https to public addresses), full (every
    /// public address), or one that the policy file defines. Default: locked, or the profile in the file.
    #[arg(long, value_name = "NAME", help_heading = "Policy")]
    pub(crate) policy_profile: Option<String>,
    /// The isolation between the program and this machine: auto, wasm, process or microvm. Default: auto.
    #[arg(long, value_name = "ISOLATION", value_parser = |text: &str| text.parse::<Isolation>().map_err(one_line))]
    pub(crate) isolation: Option<Isolation>,
    /// What calls of tools and of functions of custom interfaces return in programs: results (sync), awaitables and promises
    /// (async), or what the text of each program expects (auto). Default: auto.
    #[arg(long, value_name = "MODE", value_parser = |text: &str| text.parse::<ToolCalls>().map_err(one_line))]
    pub(crate) tool_calls: Option<ToolCalls>,
    /// The names and conventions by which programs call tools: isolette, anthropic (Python), openai, codex or cloudflare
    /// (JavaScript). Default: isolette.
    #[arg(long, value_name = "DIALECT", value_parser = |text: &str| text.parse::<Dialect>().map_err(one_line))]
    pub(crate) dialect: Option<Dialect>,
    /// The image: its name (isolette image list), or its directory, as a path with a /. Default: that of the language.
    #[arg(long, value_name = "NAME|DIR")]
    pub(crate) image: Option<PathBuf>,

    /// The requests that are allowed. Default: none, or allowlist if there is a rule.
    #[arg(long, value_parser = network_mode(), value_name = "MODE", help_heading = "Network")]
    pub(crate) network: Option<NetworkMode>,
    /// Allow the requests of a rule: `api.example.com`, `*.example.com`, `GET,POST https://api.example.com/v1`; `+private` at
    /// the end for private addresses. May be repeated.
    #[arg(long, value_name = "RULE", help_heading = "Network")]
    pub(crate) allow: Vec<String>,
    /// Allow all requests below this URL, and set BASE_URL and ALLOWED_BASE_URLS. May be repeated.
    #[arg(long, value_name = "URL", help_heading = "Network")]
    pub(crate) base_url: Vec<String>,

    /// Add a secret to requests of programs, under the name that the policy uses for it: env:VARIABLE or file:PATH. Programs
    /// cannot read it. May be repeated.
    // Parsed later: clap repeats invalid values, which may be the secret itself.
    #[arg(long, value_name = "NAME=SECRET", help_heading = "Network")]
    pub(crate) secret: Vec<String>,
    /// The requests that a secret is added to, as a network rule; only https, unless the rule begins with http://.
    #[arg(long, value_name = "NAME=RULE", value_parser = named, help_heading = "Network")]
    pub(crate) secret_rule: Vec<(String, String)>,
    /// The header for a secret, such as X-Api-Key. Default: `Authorization: Bearer`.
    #[arg(long, value_name = "NAME=HEADER[: PREFIX]", value_parser = named, help_heading = "Network")]
    pub(crate) secret_header: Vec<(String, String)>,

    /// Mount a directory for the program: HOST:GUEST, read-only, or HOST:GUEST:rw. May be repeated.
    #[arg(long, value_name = "HOST:GUEST[:ro|rw]", value_parser = mount, help_heading = "Files")]
    pub(crate) mount: Vec<MountFile>,
    /// Mount a directory at /input, read-only.
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub(crate) input: Option<PathBuf>,
    /// Mount a directory at /output, read-write. It is created if it does not exist.
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    pub(crate) output: Option<PathBuf>,

    /// Set a global before the program starts. May be repeated.
    #[arg(long = "var", value_name = "NAME=JSON", value_parser = variable)]
    pub(crate) variables: Vec<(String, Value)>,
    #[arg(
        long,
        value_name = "TIME",
        value_parser = parse_duration,
        help = with_default("Wall time for the program and the calls that the host answers for it", LimitName::Timeout)
    )]
    pub(crate) timeout: Option<Duration>,
    #[arg(
        long,
        value_name = "SIZE",
        value_parser = parse_size,
        help = with_default("Memory of the guest, including the interpreter", LimitName::Memory)
    )]
    pub(crate) memory: Option<u64>,
}

/// Parses a mode; help and errors list all of them.
fn network_mode() -> impl TypedValueParser<Value = NetworkMode> {
    let values = NetworkMode::ALL.map(|mode| PossibleValue::new(mode.as_str()).help(mode.summary()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<NetworkMode>())
}

impl SandboxOptions {
    /// Merges the flags over the policy file that they name, and both over the configuration file.
    pub(crate) fn over(self, mut below: PolicyFile) -> Result<PolicyFile, Error> {
        let mut file = match &self.policy {
            Some(path) => PolicyFile::read(path)?,
            None => PolicyFile::default(),
        };
        let is_file = self.policy.is_some();
        let mut flags = self.flags()?;
        if let Some(profile) = flags.profile.take() {
            // The configuration file may define the profile, too.
            let founded = if is_file { &mut file } else { &mut below };
            *founded = mem::take(founded).with_profile(&profile)?;
        }
        flags.over(file)?.over(below)
    }

    /// The policy of the flags alone, with the name of the profile.
    pub(crate) fn flags(self) -> Result<PolicyFile, Error> {
        let mut flags = PolicyFile::default();
        flags.profile = self.policy_profile;
        flags.isolation = self.isolation;
        flags.tool_calls = self.tool_calls;
        flags.dialect = self.dialect;
        flags.image = self.image;
        flags.network = self.network;
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
        Ok(flags)
    }
}

/// Parses the location of a secret. The error does not repeat an invalid value, which may be the secret itself.
pub(crate) fn secret(flag: &str, place: &str) -> Result<SecretReference, Error> {
    place.parse().map_err(|why| Error::InvalidArgument {
        message: format!("the value of `{flag}` cannot be used: {why}"),
        hint: "put the secret into a variable of the environment or into a file".into(),
    })
}

/// Makes a builder for programs in a language.
pub(crate) fn builder(policy: &PolicyFile, language: Language) -> SandboxBuilder {
    Sandbox::builder().policy_file(policy).language(language)
}

/// The help of a flag that sets a limit, with the default of the limit.
fn with_default(help: &str, limit: LimitName) -> String {
    let default = LimitDescription::of(limit).map_or("none", |limit| limit.default.trim_matches('"'));
    format!("{help}. Default: {default}")
}

fn mount(text: &str) -> Result<MountFile, String> {
    let (rest, access) = match text.rsplit_once(':') {
        Some((rest, "ro")) => (rest, Access::ReadOnly),
        Some((rest, "rw")) => (rest, Access::ReadWrite),
        _ => (text, Access::ReadOnly),
    };
    match rest.rsplit_once(':') {
        Some((host, guest)) if !host.is_empty() && guest.starts_with('/') => {
            Ok(MountFile { host: host.into(), guest: guest.to_owned(), access })
        }
        _ => {
            Err("expected HOST:GUEST, HOST:GUEST:ro or HOST:GUEST:rw with an absolute GUEST path, as in `./data:/data`"
                .into())
        }
    }
}

fn named(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected the secret's name before it, as in `github=…`")?;
    Ok((name.to_owned(), value.to_owned()))
}

pub(crate) fn variable(text: &str) -> Result<(String, Value), String> {
    let (name, json) = text.split_once('=').ok_or("expected NAME=JSON, as in `LIMIT=10`")?;
    let value = read_json(json.as_bytes()).map_err(|error| match error {
        ReadError::LostDigits(lost) => format!("{}; {}: {}", lost.of(name), LostDigits::HINT, as_text(name, json)),
        error => format!("`{json}` is not JSON ({error}); a text needs quotes, as in `{name}=\"text\"`"),
    })?;
    Ok((name.to_owned(), value))
}

/// How a variable that is a number is written as text.
fn as_text(name: &str, json: &str) -> String {
    let is_number = json.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if is_number { format!("`{name}=\"{json}\"`") } else { format!("`{name}=[\"1234\"]`") }
}

/// Formats an error as one line, as clap requires.
pub(crate) fn one_line(error: Error) -> String {
    match error {
        Error::InvalidArgument { message, hint } => format!("{message}; {hint}"),
        error => error.to_string(),
    }
}
