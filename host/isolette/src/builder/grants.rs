//! Methods for what programs are granted: tools, interfaces and files.

use std::{fmt, path::Path};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use super::SandboxBuilder;
use isolette_capabilities::Capability;
use isolette_policy::{Access, Approval, FileSystem, INPUT, Mount, OUTPUT};
use isolette_tools::{Tool, ToolSet};

impl SandboxBuilder {
    /// Registers a tool.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.grants.tools.push(tool);
        self
    }

    /// Registers all tools of a source. Its base URLs are not allowed by this; the network needs rules of its own.
    pub fn tools(mut self, set: ToolSet) -> Self {
        self.grants.tools.extend(set.tools);
        self
    }

    /// Restricts the registered tools to those whose names match this pattern, in which `*` matches any text. If it is
    /// called several times, a tool has to match one of the patterns.
    pub fn allow_tools(mut self, pattern: &str) -> Self {
        self.policy.tool_patterns.push(pattern.to_owned());
        self
    }

    /// Registers a function with typed arguments and result as a tool: [`Tool::typed`].
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

    /// Registers an asynchronous function with typed arguments and result as a tool: [`Tool::typed_async`].
    pub fn tool_typed_async<Arguments, Output, Failure, Response>(
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
        self.fallible(Tool::typed_async(name, description, function), Self::tool)
    }

    /// Registers an interface that the embedder implements; programs import it as a module. See
    /// [`capability!`](crate::capability!).
    pub fn capability(mut self, capability: impl Into<Capability>) -> Self {
        self.grants.capabilities.push(capability.into());
        self
    }

    /// Allows functions of the registered interfaces; all functions that no rule allows are then denied. A rule is
    /// `acme:weather/forecast`, `acme:weather/forecast.get`, or `acme:weather/forecast.get 10` for at most ten calls in
    /// a run. See [`CapabilityRule`](crate::policy::CapabilityRule).
    pub fn allow_capability(self, rule: &str) -> Self {
        self.fallible(rule.parse(), |mut builder, rule| {
            builder.policy.capability_rules.push(rule);
            builder
        })
    }

    /// Mounts a directory of the host at a path of the guest.
    pub fn mount(self, host: impl AsRef<Path>, guest: &str, access: Access) -> Self {
        self.fallible(Mount::new(host, guest, access), Self::mount_from)
    }

    /// Mounts a file system that the embedder implements at a path of the guest: [`Mount::file_system`].
    pub fn mount_file_system(
        self,
        name: impl Into<String>,
        system: impl FileSystem,
        guest: &str,
        access: Access,
    ) -> Self {
        self.fallible(Mount::file_system(name, system, guest, access), Self::mount_from)
    }

    /// Adds a mount.
    pub fn mount_from(mut self, mount: Mount) -> Self {
        self.policy.mounts.push(mount);
        self
    }

    /// Mounts a directory at `/input`, read-only.
    pub fn input_dir(self, directory: impl AsRef<Path>) -> Self {
        self.mount(directory, INPUT, Access::ReadOnly)
    }

    /// Mounts a directory at `/output`, read-write. Files that exist in it are kept.
    pub fn output_dir(self, directory: impl AsRef<Path>) -> Self {
        self.mount(directory, OUTPUT, Access::ReadWrite)
    }

    /// Gives every run and every session an empty `/output` directory of its own, which is removed when its last result
    /// is dropped. It is made in the system's directory for temporary files when something first uses it; if that fails, the
    /// program gets an I/O error, and the reason is logged.
    pub fn temp_output(mut self) -> Self {
        self.policy.temporary_output = true;
        self
    }

    /// Whether a registered tool needs approval.
    #[must_use]
    pub fn has_tools_that_need_approval(&self) -> bool {
        self.grants.tools.iter().any(Tool::needs_approval)
    }

    /// Whether the approval is [`Approval::Rules`].
    #[must_use]
    pub fn has_approval_rules(&self) -> bool {
        matches!(self.policy.approval, Approval::Rules(_))
    }
}
