//! Builds a sandbox or a policy from the settings of a builder.

use std::sync::Arc;

use isolette_capabilities::Interfaces;
use isolette_deadline::runtime;
use isolette_engine::{Image, ReadyGuests, select};
use isolette_files::Files;
use isolette_http::{AnyTransport, Http, HttpLimits, Resolve, Secrets, System};
use isolette_interface::InterfaceName;
use isolette_policy::Policy;
use isolette_tools::{Tool, Tools, catalog::Style};
use isolette_types::{EngineName, Error, Language, ToolCalls};
use serde_json::json;

use super::{Grants, SandboxBuilder};
use crate::{
    blocking_threads::BlockingThreads,
    capabilities::Capabilities,
    recording::{self, Recording, Runs},
    sandbox::Sandbox,
    shared::Shared,
    system::SystemState,
    warm_up,
};

impl SandboxBuilder {
    /// Returns the policy that a sandbox would enforce, checked as far as possible without an image and without opening
    /// mounts.
    ///
    /// # Errors
    /// The first of: an invalid argument of an earlier method; settings that contradict each other, such as rules for a
    /// network that is not an allowlist; a limit that is out of range.
    pub fn into_policy(self) -> Result<Policy, Error> {
        let Self { grants, policy, error, .. } = self;
        match error {
            Some(error) => Err(error),
            None => policy.finish(grants.tools.iter().map(Tool::name), grants.served()),
        }
    }

    /// Checks the settings, loads the image and opens the mounts.
    ///
    /// # Errors
    /// The first of: an invalid argument of an earlier method; an image that is missing or invalid, or that imports an
    /// interface that is not registered; isolation that is not available; a directory that cannot be mounted; two
    /// tools, two mounts or two interfaces with the same name.
    pub fn build(self) -> Result<Sandbox, Error> {
        let Self { environment, mut programs, mut grants, policy, oversight, admission, error } = self;
        if let Some(error) = error {
            return Err(error);
        }
        grants.tools.retain(|tool| policy.allows_tool(tool.name()));
        grants.capabilities.sort_by(|left, right| left.name().cmp(right.name()));
        let (base_urls, secrets, temporary_output) =
            (policy.base_urls.clone(), Secrets::new(policy.secrets.clone()), policy.temporary_output);
        let policy = policy.finish(grants.tools.iter().map(Tool::name), grants.served())?;
        let image = match environment.image {
            Some(place) => Image::at(place)?,
            None => Image::find(environment.language.unwrap_or(Language::Python))?,
        };
        let language = environment.language.unwrap_or(image.language());
        if language.image() != image.language() {
            return Err(Error::invalid(
                format!("the image in {} runs {}, not {language}", image.directory().display(), image.language()),
                "name another image, or leave the language to the image",
            ));
        }
        if !programs.dialect.is_of(language) {
            return Err(Error::invalid(
                format!("programs in {language} cannot be written in the dialect `{}`", programs.dialect),
                "use `anthropic` for Python; `openai`, `codex` or `cloudflare` for JavaScript and TypeScript",
            ));
        }
        if programs.dialect.is_asynchronous() && programs.tool_calls == ToolCalls::Sync {
            return Err(Error::invalid(
                format!("calls are asynchronous in the dialect `{}`, and are to be synchronous", programs.dialect),
                "use no dialect, or no `tool_calls`",
            ));
        }
        let (selected, engine) = select(environment.isolation, &image, warm_up::of)?;
        if let Some(tool) = grants.tools.iter().find(|tool| tool.is_deferred())
            && !selected.engine.saves_states()
        {
            return Err(Error::Unavailable {
                what: format!("the deferred tool `{}`", tool.name()),
                reason: format!("programs cannot be paused in the isolation `{}`", selected.engine),
                hint: "use the isolation `process` or `microvm`".into(),
            });
        }
        let initial_system = initial_system(&image, selected.engine)?;
        // Deadlines need the runtime, so a failure to start it is reported now.
        runtime()?;
        let Grants { tools, capabilities, resolver, transport } = grants;
        let Reach { tools, transport, runs } = recorded(programs.recording.as_ref(), tools, transport)?;
        let style = Style::new(language, programs.tool_calls, programs.dialect);
        let tools = Tools::new(tools, &policy.tool_patterns, style)?;
        let interfaces = Interfaces::new(capabilities)?;
        serves_all(&image, &interfaces)?;
        let files = Arc::new(Files::new(&policy.mounts)?);
        if let Some(first) = base_urls.first() {
            programs.set_variable("BASE_URL", json!(first));
            programs.set_variable("ALLOWED_BASE_URLS", json!(base_urls));
        }
        let resolver: Arc<dyn Resolve> = resolver.map_or_else(|| Arc::new(System) as _, |own| Arc::new(own) as _);
        let http = Http::with(policy.network.clone(), HttpLimits::of(&policy.limits), resolver, Vec::new());
        let http = http.with_secrets(secrets).through(transport);
        let ready = ReadyGuests::keep(&engine, policy.limits.memory, environment.ready);
        if programs.recording.is_some() {
            programs.determinism.get_or_insert_default();
        }
        Ok(Sandbox {
            shared: Arc::new(Shared {
                language,
                image,
                engine,
                selected,
                policy: Arc::new(policy),
                capabilities: Arc::new(Capabilities { tools, http, interfaces, threads: BlockingThreads::default() }),
                files,
                temporary_output,
                programs,
                oversight,
                initial_system,
                runs,
                admission,
                _ready: ready,
            }),
        })
    }
}

impl Grants {
    /// The names of the registered interfaces, sorted.
    fn served(&self) -> Vec<String> {
        let mut names: Vec<_> = self.capabilities.iter().map(|capability| capability.name()).collect();
        names.sort_unstable();
        names.into_iter().map(ToString::to_string).collect()
    }
}

/// How far clocks and random numbers have come in the state in which guests of a warm image start.
fn initial_system(image: &Image, engine: EngineName) -> Result<SystemState, Error> {
    let warm = image.manifest().warm.as_ref().and_then(|warm| warm.states.get(engine.as_str()));
    let Some(state) = warm else { return Ok(SystemState::default()) };
    serde_json::from_value(state.host.clone()).map_err(|error| Error::Image {
        path: image.directory().to_owned(),
        reason: format!("what it says about clocks is malformed: {error}"),
        hint: "make the image again with `isolette image warm`".into(),
    })
}

/// What programs can reach besides files: tools, and the transport of HTTP requests.
struct Reach {
    tools: Vec<Tool>,
    transport: Option<Arc<dyn AnyTransport>>,
    /// The recording of what they reach.
    runs: Option<Runs>,
}

/// Wraps tools and transport so that they are recorded, or replaces them with a recording.
fn recorded(
    recording: Option<&Recording>,
    tools: Vec<Tool>,
    transport: Option<Arc<dyn AnyTransport>>,
) -> Result<Reach, Error> {
    match recording {
        None => Ok(Reach { tools, transport, runs: None }),
        Some(_) if transport.is_some() => Err(Error::invalid(
            "requests are to go through a transport of your own, and to be recorded or replayed",
            "use either `http_transport`, or `record` and `replay`",
        )),
        Some(Recording::Record(directory)) => {
            recording::begin(directory)?;
            let recorder = recording::Recorder::create(directory)?;
            let tools = recording::recorded(tools, directory)?;
            Ok(Reach { tools, transport: Some(Arc::new(recorder)), runs: Some(Runs::create(directory)?) })
        }
        Some(Recording::Replay(directory)) => {
            let replayer = recording::Replayer::open(directory)?;
            let tools = recording::replayed(tools, directory)?;
            Ok(Reach { tools, transport: Some(Arc::new(replayer)), runs: Some(Runs::open(directory)?) })
        }
    }
}

/// Checks that all imports of the image are registered: a component does not start without them, even if it never calls
/// them.
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
        "register it with `SandboxBuilder::capability`; a later compatible version is accepted too",
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
