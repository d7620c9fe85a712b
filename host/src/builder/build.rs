//! From what was said to a sandbox.

use std::sync::{Arc, Mutex};

use isolette_interface::InterfaceName;
use serde_json::json;
use wildmatch::WildMatch;

use super::{SandboxBuilder, network::network};
use crate::{
    Error, Image, Language, Sandbox, Tool,
    audit::RecordedArguments,
    capability::{
        Capabilities,
        custom::Interfaces,
        files::{Files, output::OUTPUT},
        http::{AnyTransport, Http, HttpLimits, Resolve, Secrets, System},
        system::Determinism,
        tools::Tools,
    },
    policy::{CapabilityPolicy, Limits, Policy, network::Network},
    recording::{self, Recording},
    runtime::runtime,
    sandbox::Shared,
};

impl SandboxBuilder {
    /// What would be enforced, checked as far as that can be done without an image and without the directories of mounts.
    ///
    /// # Errors
    /// The first of: what an earlier method could not use; a network that is no allowlist and has rules; limits that
    /// cannot be.
    pub fn into_policy(mut self) -> Result<Policy, Error> {
        self.policy()
    }

    fn policy(&mut self) -> Result<Policy, Error> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let network = network(self.network.take(), std::mem::take(&mut self.rules))?;
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
        for (index, secret) in self.secrets.iter().enumerate() {
            let name = &secret.bound().name;
            if self.secrets[..index].iter().any(|other| other.bound().name == *name) {
                return Err(Error::invalid(
                    format!("there are two secrets named `{name}`"),
                    "give each secret a name of its own",
                ));
            }
            if network == Network::None {
                return Err(Error::invalid(
                    format!("the secret `{name}` is for requests, and the network is closed"),
                    format!("allow what it is for: `{}`", secret.bound().rule),
                ));
            }
        }
        let patterns: Vec<WildMatch> = self.tool_patterns.iter().map(|pattern| WildMatch::new(pattern)).collect();
        self.tools.retain(|tool| patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(tool.name())));
        self.capabilities.sort_by(|left, right| left.name().cmp(right.name()));
        Ok(Policy {
            network,
            secrets: self.secrets.iter().map(|secret| secret.bound().clone()).collect(),
            mounts: std::mem::take(&mut self.mounts),
            tools: self.tools.iter().map(|tool| tool.name().to_owned()).collect(),
            tool_patterns: std::mem::take(&mut self.tool_patterns),
            capabilities: CapabilityPolicy {
                served: self.capabilities.iter().map(|capability| capability.name().to_string()).collect(),
                allow: std::mem::take(&mut self.capability_rules),
            },
            approval: std::mem::take(&mut self.approval),
            limits: self.limits.clone(),
        })
    }

    /// Checks everything, loads the image, and opens the mounts.
    ///
    /// # Errors
    /// The first of: what an earlier method could not use; an image that is not there or cannot be used, or imports an
    /// interface that is not lent; isolation that cannot be had; a directory that cannot be mounted; two tools, two mounts
    /// or two interfaces of one name.
    pub fn build(mut self) -> Result<Sandbox, Error> {
        let policy = self.policy()?;
        let image = match self.image {
            Some(directory) => Image::open(directory)?,
            None => Image::find(self.language.unwrap_or(Language::Python))?,
        };
        let language = self.language.unwrap_or(image.language());
        if language.image() != image.language() {
            return Err(Error::invalid(
                format!("the image in {} runs {}, not {language}", image.directory().display(), image.language()),
                "name another image, or leave the language to the image",
            ));
        }
        let (choice, engine) = self.isolation.choose(&image)?;
        // Deadlines need it, so it is better missed now.
        runtime()?;
        let (tools, transport) = recorded(self.recording.as_ref(), self.tools, self.http_transport)?;
        let tools = Tools::new(tools, &policy.tool_patterns, language)?;
        let interfaces = Interfaces::new(self.capabilities)?;
        serves_all(&image, &interfaces)?;
        let files = Arc::new(Files::new(&policy.mounts)?);
        let mut variables = self.variables;
        if let Some(first) = self.base_urls.first() {
            variables.retain(|(name, _)| name != "BASE_URL" && name != "ALLOWED_BASE_URLS");
            variables.push(("BASE_URL".into(), json!(first)));
            variables.push(("ALLOWED_BASE_URLS".into(), json!(self.base_urls)));
        }
        let resolver: Arc<dyn Resolve> = self.resolver.map_or_else(|| Arc::new(System) as _, |own| Arc::new(own) as _);
        let http = Http::with(policy.network.clone(), HttpLimits::of(&policy.limits), resolver, Vec::new());
        let http = http.with_secrets(Secrets::new(self.secrets)).through(transport);
        Ok(Sandbox {
            shared: Arc::new(Shared {
                language,
                image,
                engine,
                choice,
                policy,
                capabilities: Arc::new(Capabilities { tools, http, interfaces }),
                files,
                temporary_output: self.temporary_output,
                variables,
                http_body: self.http_body,
                on_call: self.on_call,
                approver: self.approver,
                budgets: self.budgets,
                determinism: self.determinism.or_else(|| self.recording.as_ref().map(|_| Determinism::default())),
                recording: self.recording,
                recorded_arguments: self.recorded_arguments.unwrap_or(match self.audit {
                    Some(_) => RecordedArguments::Digest,
                    None => RecordedArguments::Nothing,
                }),
                audit: self.audit,
                metrics: self.metrics,
                redaction: Arc::new(self.redaction),
                latest: Mutex::default(),
            }),
        })
    }
}

/// What programs reach besides their files: tools, and what requests go through.
type Reach = (Vec<Tool>, Option<Arc<dyn AnyTransport>>);

/// Puts a recording around what programs reach, or in its place.
fn recorded(
    recording: Option<&Recording>,
    tools: Vec<Tool>,
    transport: Option<Arc<dyn AnyTransport>>,
) -> Result<Reach, Error> {
    match recording {
        None => Ok((tools, transport)),
        Some(_) if transport.is_some() => Err(Error::invalid(
            "requests are to go through a transport of your own, and to be recorded or replayed",
            "use either `http_transport`, or `record` and `replay`",
        )),
        Some(Recording::Record(directory)) => {
            recording::begin(directory)?;
            let recorder = recording::Recorder::create(directory)?;
            Ok((recording::recorded(tools, directory)?, Some(Arc::new(recorder))))
        }
        Some(Recording::Replay(directory)) => {
            let replayer = recording::Replayer::open(directory)?;
            Ok((recording::replayed(tools, directory)?, Some(Arc::new(replayer))))
        }
    }
}

/// What the image imports must be there, whether or not it is ever called: a component does not start without.
fn serves_all(image: &Image, interfaces: &Interfaces) -> Result<(), Error> {
    let offered: Vec<_> = interfaces.iter().map(|capability| capability.name()).collect();
    let missing = unserved(&image.manifest().capabilities, &offered);
    if missing.is_empty() {
        return Ok(());
    }
    let list = |names: &[&InterfaceName]| names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let offered = if offered.is_empty() { "nothing".to_owned() } else { list(&offered) };
    Err(Error::invalid(
        format!(
            "the image in {} imports what is not served: {} (served is: {offered})",
            image.directory().display(),
            list(&missing)
        ),
        "lend it with `SandboxBuilder::capability`; a later version will do if it is compatible",
    ))
}

fn unserved<'a>(required: &'a [InterfaceName], offered: &[&InterfaceName]) -> Vec<&'a InterfaceName> {
    required.iter().filter(|wanted| !offered.iter().any(|offer| offer.serves(wanted))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_image_imports_is_served_in_that_version_or_a_later_one_that_is_compatible() {
        let names = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<InterfaceName>>();
        for (required, offered, missing) in [
            (&["a:b/c@1.0.0"][..], &["a:b/c@1.0.0"][..], &[][..]),
            (&["a:b/c@1.0.0"], &["a:b/c@1.2.0"], &[]),
            (&["a:b/c@1.2.0"], &["a:b/c@1.0.0"], &["a:b/c@1.2.0"]),
            (&["a:b/c@1.0.0"], &["a:b/c@2.0.0", "a:b/d@1.0.0"], &["a:b/c@1.0.0"]),
            (&["a:b/c@0.2.1"], &["a:b/c@0.3.0"], &["a:b/c@0.2.1"]),
            (&["a:b/c@1.0.0", "a:b/c@2.0.0"], &["a:b/c@2.0.0", "a:b/c@1.5.0"], &[]),
            (&["a:b/c", "a:b/d"], &["a:b/c@3.0.0"], &["a:b/d"]),
            (&[], &[], &[]),
        ] {
            let (required, offered, missing) = (names(required), names(offered), names(missing));
            let found = unserved(&required, &offered.iter().collect::<Vec<_>>());
            assert_eq!(found, missing.iter().collect::<Vec<_>>(), "{required:?} of {offered:?}");
        }
    }
}
