//! The provider of `execute_code`, whose grants can change between runs.

mod grants;

use std::{
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::{Value, json};

use self::grants::{Grants, put};
use super::{EXECUTE_CODE, Guide, OutputLimits};
use isolette::policy::{Approval, Mount, network::Rule};
use isolette::{Error, ExecutionResult};
use isolette::{RunOptions, Sandbox, SandboxBuilder};
use isolette::{Tool, ToolSet};

type Basis = Box<dyn Fn() -> SandboxBuilder + Send + Sync>;

/// Provides an agent with the tool `execute_code`.
///
/// Tools, mounts and network rules can be added and removed at any time; runs in flight keep what they were started
/// with. Each run starts clean.
///
/// ```no_run
/// use isolette::Sandbox;
/// use isolette_agent::CodeActProvider;
///
/// let provider = CodeActProvider::new(|| Sandbox::builder().temp_output());
/// provider.add_allowed_domains(["GET https://api.example.com/v1".parse()?]);
/// // For the system prompt, and for the description of the tool.
/// let instructions = provider.build_instructions(false)?;
/// let description = provider.execute_code_description()?;
/// // When the model calls it.
/// let result = provider.execute_code_blocking("result = 6 * 7")?;
/// # Ok::<(), isolette::Error>(())
/// ```
pub struct CodeActProvider {
    basis: Basis,
    bundled: bool,
    output: OutputLimits,
    grants: Mutex<Grants>,
}

impl fmt::Debug for CodeActProvider {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grants = self.grants();
        formatter
            .debug_struct("CodeActProvider")
            .field("tools", &grants.tools)
            .field("mounts", &grants.mounts)
            .field("domains", &grants.domains)
            .finish_non_exhaustive()
    }
}

impl Default for CodeActProvider {
    fn default() -> Self {
        Self::new(Sandbox::builder)
    }
}

impl CodeActProvider {
    /// Makes a provider. `basis` returns a builder with the settings that do not change: language, limits, approval,
    /// fixed tools. It is called for the first run and after each change.
    pub fn new(basis: impl Fn() -> SandboxBuilder + Send + Sync + 'static) -> Self {
        Self { basis: Box::new(basis), bundled: false, output: OutputLimits::default(), grants: Mutex::default() }
    }

    /// Requires approval of the whole program before it starts if any registered tool needs approval, even one that the
    /// program does not call. This is for agents that expect it; otherwise each call is approved by itself, which shows
    /// the approver more detail.
    ///
    /// If the sandbox has [`Approval::Rules`], the rules apply instead: what they deny stays denied, even in an
    /// approved program.
    #[must_use]
    pub fn with_bundled_approval(mut self, bundled: bool) -> Self {
        self.bundled = bundled;
        self
    }

    /// Sets the limits on the files in `/output`.
    #[must_use]
    pub fn with_output_limits(mut self, limits: OutputLimits) -> Self {
        self.output = limits;
        self
    }

    /// Adds tools; a tool of the same name is replaced. A tool named `execute_code` is skipped, because programs must
    /// not start programs.
    pub fn add_tools(&self, tools: impl IntoIterator<Item = Tool>) {
        self.change(|grants| {
            for tool in tools.into_iter().filter(|tool| tool.name() != EXECUTE_CODE) {
                put(&mut grants.tools, tool, |left, right| left.name() == right.name());
            }
        });
    }

    /// Adds all tools of a source. Its base URLs are not allowed by this; the network needs rules of its own.
    pub fn add_tool_set(&self, set: ToolSet) {
        self.add_tools(set.tools);
    }

    /// Returns the tools, in the order in which their names were added.
    #[must_use]
    pub fn tools(&self) -> Vec<Tool> {
        self.grants().tools.clone()
    }

    /// Removes a tool.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no tool of that name.
    pub fn remove_tool(&self, name: &str) -> Result<(), Error> {
        let unknown = || format!("No managed tool named '{name}' is registered.");
        self.remove(|grants| &mut grants.tools, |tool| tool.name() == name, unknown)
    }

    /// Removes all tools.
    pub fn clear_tools(&self) {
        self.change(|grants| grants.tools.clear());
    }

    /// Adds mounts; a mount at the same path in the guest is replaced.
    pub fn add_file_mounts(&self, mounts: impl IntoIterator<Item = Mount>) {
        self.change(|grants| {
            for mount in mounts {
                put(&mut grants.mounts, mount, |left, right| left.guest == right.guest);
            }
        });
    }

    /// Returns the mounts, in the order in which their paths were added.
    #[must_use]
    pub fn file_mounts(&self) -> Vec<Mount> {
        self.grants().mounts.clone()
    }

    /// Removes the mount at a path in the guest.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such mount.
    pub fn remove_file_mount(&self, guest: &str) -> Result<(), Error> {
        let wanted = guest.trim_end_matches('/');
        let unknown = || format!("No file mount exists for '{guest}'.");
        self.remove(|grants| &mut grants.mounts, |mount| mount.guest == wanted, unknown)
    }

    /// Removes all mounts.
    pub fn clear_file_mounts(&self) {
        self.change(|grants| grants.mounts.clear());
    }

    /// Adds network rules; a rule for the same target is replaced, together with its methods.
    pub fn add_allowed_domains(&self, rules: impl IntoIterator<Item = Rule>) {
        self.change(|grants| {
            for rule in rules {
                put(&mut grants.domains, rule, |left, right| left.target() == right.target());
            }
        });
    }

    /// Returns the network rules, in the order in which their targets were added.
    #[must_use]
    pub fn allowed_domains(&self) -> Vec<Rule> {
        self.grants().domains.clone()
    }

    /// Removes the rule for a target: `api.example.com`, `https://api.example.com/v1`.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if there is no such rule, or if `target` is not a valid target.
    pub fn remove_allowed_domain(&self, target: &str) -> Result<(), Error> {
        let wanted = Rule::new(target)?.target();
        let unknown = || format!("No allowed domain exists for '{target}'.");
        self.remove(|grants| &mut grants.domains, |rule| rule.target() == wanted, unknown)
    }

    /// Removes all network rules.
    pub fn clear_allowed_domains(&self) {
        self.change(|grants| grants.domains.clear());
    }

    /// Returns the sandbox for runs that start now. It is reused until a grant changes.
    ///
    /// # Errors
    /// As [`SandboxBuilder::build`].
    pub fn sandbox(&self) -> Result<Sandbox, Error> {
        let mut grants = self.grants();
        if let Some(sandbox) = &grants.sandbox {
            return Ok(sandbox.clone());
        }
        let mut builder = grants.to((self.basis)());
        if self.bundled && builder.has_tools_that_need_approval() && !builder.has_approval_rules() {
            builder = builder.approval(Approval::Always);
        }
        let sandbox = builder.build()?;
        grants.sandbox = Some(sandbox.clone());
        Ok(sandbox)
    }

    /// Returns the instructions about `execute_code` for a model's system prompt.
    ///
    /// `tools_visible_to_model` says whether the model can also call the tools directly.
    ///
    /// # Errors
    /// As [`CodeActProvider::sandbox`].
    pub fn build_instructions(&self, tools_visible_to_model: bool) -> Result<String, Error> {
        Ok(Guide::new(&self.sandbox()?).instructions(tools_visible_to_model))
    }

    /// Returns the description of `execute_code`.
    ///
    /// # Errors
    /// As [`CodeActProvider::sandbox`].
    pub fn execute_code_description(&self) -> Result<String, Error> {
        Ok(Guide::new(&self.sandbox()?).description())
    }

    /// Returns the JSON Schema of the arguments of `execute_code`: an object with the required string `code`.
    #[must_use]
    pub fn execute_code_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {"code": {"type": "string", "description": "The program"}},
            "required": ["code"],
            "additionalProperties": false,
        })
    }

    /// Whether each program needs approval before it starts.
    ///
    /// # Errors
    /// As [`CodeActProvider::sandbox`].
    pub fn approval_required(&self) -> Result<bool, Error> {
        Ok(self.sandbox()?.explain().policy.approval == Approval::Always)
    }

    /// Runs a program. Dropping the future cancels the run. If the files in `/output` exceed [`OutputLimits`], the
    /// result has an error of the kind `OutputLimit`.
    ///
    /// # Errors
    /// As [`CodeActProvider::sandbox`] and [`Sandbox::run`]; [`Error::InvalidArgument`] for an empty program.
    pub async fn execute_code(&self, code: &str) -> Result<ExecutionResult, Error> {
        self.execute_code_with(code, RunOptions::default()).await
    }

    /// Runs a program, with options.
    ///
    /// # Errors
    /// As [`CodeActProvider::execute_code`].
    pub async fn execute_code_with(&self, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        let result = self.sandbox_for(code)?.run_async(code, options).await?;
        Ok(self.output.hold(result))
    }

    /// Runs a program and waits for its end.
    ///
    /// # Errors
    /// As [`CodeActProvider::execute_code`].
    pub fn execute_code_blocking(&self, code: &str) -> Result<ExecutionResult, Error> {
        Ok(self.output.hold(self.sandbox_for(code)?.run(code)?))
    }

    fn sandbox_for(&self, code: &str) -> Result<Sandbox, Error> {
        if code.trim().is_empty() {
            return Err(Error::invalid("Parameter 'code' must not be empty.", "pass a program"));
        }
        self.sandbox()
    }

    fn grants(&self) -> MutexGuard<'_, Grants> {
        self.grants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Grants)) {
        let mut grants = self.grants();
        change(&mut grants);
        grants.sandbox = None;
    }

    fn remove<T>(
        &self,
        list: impl Fn(&mut Grants) -> &mut Vec<T>,
        is_it: impl Fn(&T) -> bool,
        unknown: impl Fn() -> String,
    ) -> Result<(), Error> {
        let mut grants = self.grants();
        let list = list(&mut grants);
        let position =
            list.iter().position(is_it).ok_or_else(|| Error::invalid(unknown(), "look at what there is first"))?;
        list.remove(position);
        grants.sandbox = None;
        Ok(())
    }
}
