//! How a sandbox is put together: everything is checked here, before anything runs.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use isolette_interface::InterfaceName;
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use url::Url;
use wildmatch::WildMatch;

use crate::{
    Budget, Capability, Error, Image, Isolation, Language, Sandbox, Tool, ToolSet,
    capability::{
        Capabilities,
        custom::Interfaces,
        files::{Files, output::OUTPUT},
        http::{Http, HttpLimits},
        tools::Tools,
    },
    options::check_variable,
    policy::{
        Access, Approval, CallHook, CallRequest, CapabilityPolicy, CapabilityRule, Decision, HttpBody, Limits, Mount,
        Policy, PolicyFile,
        network::{Network, Rule},
    },
    runtime::runtime,
    sandbox::Shared,
};

/// Builds a [`Sandbox`].
///
/// Nothing is allowed and every limit is finite until a method here says otherwise:
///
/// | what | default |
/// |---|---|
/// | language | Python |
/// | image | the language's, found by [`Image::find`] |
/// | isolation | [`Isolation::Auto`] |
/// | tools | none |
/// | capabilities | none; of those that are lent, every function |
/// | mounts | none; every guest has a `/tmp` in its own memory |
/// | network | none |
/// | variables | none |
/// | approval | needed by tools that say so, and there is nobody to ask |
/// | budgets | none; each run has its own limits |
/// | limits | those of [`Limits`] |
/// | body of HTTP responses | [`HttpBody::Auto`] |
///
/// Methods that can fail keep their error until [`SandboxBuilder::build`], which returns the first.
#[derive(Debug, Default)]
#[must_use = "a builder does nothing until `build`"]
pub struct SandboxBuilder {
    language: Option<Language>,
    image: Option<PathBuf>,
    isolation: Isolation,
    tools: Vec<Tool>,
    capabilities: Vec<Capability>,
    capability_rules: Vec<CapabilityRule>,
    mounts: Vec<Mount>,
    temporary_output: bool,
    network: Option<Network>,
    rules: Vec<Rule>,
    tool_patterns: Vec<String>,
    base_urls: Vec<String>,
    variables: Vec<(String, Value)>,
    limits: Limits,
    http_body: HttpBody,
    approval: Approval,
    on_call: Option<CallHook>,
    budgets: Vec<Budget>,
    error: Option<Error>,
}

impl SandboxBuilder {
    /// What programs are written in.
    pub fn language(mut self, language: Language) -> Self {
        self.language = Some(language);
        self
    }

    /// The directory of the image, instead of searching for one. Its language is taken if none was named.
    pub fn image(mut self, directory: impl AsRef<Path>) -> Self {
        self.image = Some(directory.as_ref().to_owned());
        self
    }

    /// What stands between guest and machine.
    pub fn isolation(mut self, isolation: Isolation) -> Self {
        self.isolation = isolation;
        self
    }

    /// Lends a tool.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.tools.push(tool);
        self
    }

    /// Lends all tools of a source. Its base URLs stay as they are: whoever lends tools has not opened the network.
    pub fn tools(mut self, set: ToolSet) -> Self {
        self.tools.extend(set.tools);
        self
    }

    /// Of all tools that are lent, lends only those whose names match this pattern, in which `*` stands for any text, or
    /// another one given like this.
    pub fn only_tools(mut self, pattern: &str) -> Self {
        self.tool_patterns.push(pattern.to_owned());
        self
    }

    /// Does what a policy file says, over what was said before: [`PolicyFile`].
    pub fn policy_file(mut self, file: &PolicyFile) -> Self {
        if self.error.is_some() {
            return self;
        }
        match file.apply(std::mem::take(&mut self)) {
            Ok(builder) => builder,
            Err(error) => Self { error: Some(error), ..self },
        }
    }

    /// Lends a function with typed arguments and result: [`Tool::typed`].
    pub fn tool_typed<Arguments, Output, Failure>(
        self,
        name: &str,
        description: &str,
        function: impl Fn(Arguments) -> Result<Output, Failure> + Send + Sync + 'static,
    ) -> Self
    where
        Arguments: DeserializeOwned + JsonSchema,
        Output: Serialize + JsonSchema,
        Failure: fmt::Display,
    {
        self.fallible(Tool::typed(name, description, function), Self::tool)
    }

    /// Lends an asynchronous function with typed arguments and result: [`Tool::asynchronous`].
    pub fn tool_async<Arguments, Output, Failure, Response>(
        self,
        name: &str,
        description: &str,
        function: impl Fn(Arguments) -> Response + Send + Sync + 'static,
    ) -> Self
    where
        Arguments: DeserializeOwned + JsonSchema,
        Output: Serialize + JsonSchema,
        Failure: fmt::Display,
        Response: Future<Output = Result<Output, Failure>> + Send + 'static,
    {
        self.fallible(Tool::asynchronous(name, description, function), Self::tool)
    }

    /// Lends an interface of your own: programs import it as a module. See [`capability!`](crate::capability).
    pub fn capability(mut self, capability: impl Into<Capability>) -> Self {
        self.capabilities.push(capability.into());
        self
    }

    /// Allows some functions of the interfaces that are lent, and with that no others: `acme:weather/forecast`,
    /// `acme:weather/forecast.get`, `acme:weather/forecast.get 10` for ten calls in a run. See [`CapabilityRule`].
    pub fn allow_capability(self, rule: &str) -> Self {
        self.fallible(rule.parse(), |mut builder, rule| {
            builder.capability_rules.push(rule);
            builder
        })
    }

    /// Shows a directory of the host's at a path of the guest's.
    pub fn mount(self, host: impl AsRef<Path>, guest: &str, access: Access) -> Self {
        self.fallible(Mount::new(host, guest, access), |mut builder, mount| {
            builder.mounts.push(mount);
            builder
        })
    }

    /// Shows a directory at `/input`, read-only.
    pub fn input_dir(self, directory: impl AsRef<Path>) -> Self {
        self.mount(directory, "/input", Access::ReadOnly)
    }

    /// Shows a directory at `/output`, read-write. What is there stays there.
    pub fn output_dir(self, directory: impl AsRef<Path>) -> Self {
        self.mount(directory, OUTPUT, Access::ReadWrite)
    }

    /// Gives every run and every session an empty `/output` of its own, which is removed with its last result.
    pub fn temp_output(mut self) -> Self {
        self.temporary_output = true;
        self
    }

    /// Sets the network as a whole. Without this and with [`SandboxBuilder::allow`] it is an allowlist.
    pub fn network(mut self, network: Network) -> Self {
        self.network = Some(network);
        self
    }

    /// Allows what a rule says: `api.example.com`, `*.example.com`, `GET https://api.example.com/v1`. See [`Rule`].
    pub fn allow(self, rule: &str) -> Self {
        let parsed = rule.parse::<Rule>().map_err(Error::from);
        self.fallible(parsed, Self::allow_rule)
    }

    /// Allows a target with some methods, or with all if there are none.
    pub fn allow_domain(self, target: &str, methods: &[&str]) -> Self {
        let parsed = Rule::new(target)
            .and_then(|rule| if methods.is_empty() { Ok(rule) } else { rule.methods(methods) })
            .map_err(Error::from);
        self.fallible(parsed, Self::allow_rule)
    }

    /// Allows what a rule says.
    pub fn allow_rule(mut self, rule: Rule) -> Self {
        self.rules.push(rule);
        self
    }

    /// Allows everything below a URL and tells programs of it: the first one is the variable `BASE_URL`, all of them
    /// are the list `ALLOWED_BASE_URLS`, both without a trailing slash.
    pub fn base_url(self, url: &str) -> Self {
        let parsed = Url::parse(url)
            .map_err(|error| Error::invalid(format!("base URL `{url}`: {error}"), "give an absolute http or https URL"))
            .and_then(|parsed| Ok(Rule::for_base_url(&parsed)?));
        let text = url.trim_end_matches('/').to_owned();
        self.fallible(parsed, |mut builder, rule| {
            builder.base_urls.push(text);
            builder.allow_rule(rule)
        })
    }

    /// Sets a global for every run. A later one of the same name wins.
    pub fn variable(self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        let name_owned = name.to_owned();
        self.fallible(check_variable(name), move |mut builder, ()| {
            builder.variables.retain(|(other, _)| *other != name_owned);
            builder.variables.push((name_owned, value));
            builder
        })
    }

    /// Sets all limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// What programs get as `body` of an HTTP response.
    pub fn http_body(mut self, http_body: HttpBody) -> Self {
        self.http_body = http_body;
        self
    }

    /// Says what somebody has to agree to before it happens.
    pub fn approval(mut self, approval: Approval) -> Self {
        self.approval = approval;
        self
    }

    /// Sets who is asked for approval, unless a run has somebody of its own.
    ///
    /// The hook is awaited on threads of this crate's own, in a Tokio runtime, and dropped where it stands when the run
    /// ends.
    pub fn on_call<Response>(mut self, hook: impl Fn(CallRequest) -> Response + Send + Sync + 'static) -> Self
    where
        Response: Future<Output = Decision> + Send + 'static,
    {
        self.on_call = Some(CallHook::new(hook));
        self
    }

    /// Sets what all runs may use together. With several, all of them hold.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budgets.push(budget);
        self
    }

    pub(crate) fn current_limits(&self) -> &Limits {
        &self.limits
    }

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
        let patterns: Vec<WildMatch> = self.tool_patterns.iter().map(|pattern| WildMatch::new(pattern)).collect();
        self.tools.retain(|tool| patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(tool.name())));
        self.capabilities.sort_by(|left, right| left.name().cmp(right.name()));
        Ok(Policy {
            network,
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

    pub(crate) fn has_tools_that_need_approval(&self) -> bool {
        self.tools.iter().any(Tool::needs_approval)
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
        let tools = Tools::new(self.tools, language)?;
        let interfaces = Interfaces::new(self.capabilities)?;
        serves_all(&image, &interfaces)?;
        let files = Arc::new(Files::new(&policy.mounts)?);
        let mut variables = self.variables;
        if let Some(first) = self.base_urls.first() {
            variables.retain(|(name, _)| name != "BASE_URL" && name != "ALLOWED_BASE_URLS");
            variables.push(("BASE_URL".into(), json!(first)));
            variables.push(("ALLOWED_BASE_URLS".into(), json!(self.base_urls)));
        }
        let http = Http::new(policy.network.clone(), HttpLimits::of(&policy.limits));
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
                budgets: self.budgets,
                latest: Mutex::default(),
            }),
        })
    }

    /// Goes on with a value, or keeps the first error.
    fn fallible<T>(mut self, value: Result<T, Error>, use_it: impl FnOnce(Self, T) -> Self) -> Self {
        match value {
            Ok(value) => use_it(self, value),
            Err(error) => {
                self.error.get_or_insert(error);
                self
            }
        }
    }
}

/// What the image imports must be there, whether or not it is ever called: a component does not start without.
fn serves_all(image: &Image, interfaces: &Interfaces) -> Result<(), Error> {
    let required = &image.manifest().capabilities;
    let served = |name: &&InterfaceName| interfaces.iter().any(|capability| capability.name().serves(name));
    let missing: Vec<_> = required.iter().filter(|name| !served(name)).map(ToString::to_string).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let offered: Vec<_> = interfaces.iter().map(|capability| capability.name().to_string()).collect();
    let offered = if offered.is_empty() { "nothing".to_owned() } else { offered.join(", ") };
    Err(Error::invalid(
        format!(
            "the image in {} imports what is not served: {} (served is: {offered})",
            image.directory().display(),
            missing.join(", ")
        ),
        "lend it with `SandboxBuilder::capability`; a later version will do if it is compatible",
    ))
}

/// Rules make an allowlist, and nothing else may be said at the same time.
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
