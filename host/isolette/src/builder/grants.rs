//! What programs are lent: tools, interfaces, files.

use std::{fmt, path::Path};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use super::SandboxBuilder;
use isolette_capabilities::Capability;
use isolette_policy::{Access, Approval, FileSystem, INPUT, Mount, OUTPUT};
use isolette_tools::{Tool, ToolSet};

impl SandboxBuilder {
    /// Lends a tool.
    pub fn tool(mut self, tool: Tool) -> Self {
        self.grants.tools.push(tool);
        self
    }

    /// Lends all tools of a source. Its base URLs stay as they are: whoever lends tools has not opened the network.
    pub fn tools(mut self, set: ToolSet) -> Self {
        self.grants.tools.extend(set.tools);
        self
    }

    /// Of all tools that are lent, lends only those whose names match this pattern, in which `*` stands for any text, or
    /// another one given like this.
    pub fn only_tools(mut self, pattern: &str) -> Self {
        self.policy.tool_patterns.push(pattern.to_owned());
        self
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

    /// Lends an interface of your own: programs import it as a module. See [`capability!`](crate::capabilities).
    pub fn capability(mut self, capability: impl Into<Capability>) -> Self {
        self.grants.capabilities.push(capability.into());
        self
    }

    /// Allows some functions of the interfaces that are lent, and with that no others: `acme:weather/forecast`,
    /// `acme:weather/forecast.get`, `acme:weather/forecast.get 10` for ten calls in a run. See [`CapabilityRule`].
    pub fn allow_capability(self, rule: &str) -> Self {
        self.fallible(rule.parse(), |mut builder, rule| {
            builder.policy.capability_rules.push(rule);
            builder
        })
    }

    /// Shows a directory of the host's at a path of the guest's.
    pub fn mount(self, host: impl AsRef<Path>, guest: &str, access: Access) -> Self {
        self.fallible(Mount::new(host, guest, access), Self::mounted)
    }

    /// Shows a file system of your own at a path of the guest's: [`Mount::file_system`].
    pub fn mount_file_system(
        self,
        name: impl Into<String>,
        system: impl FileSystem,
        guest: &str,
        access: Access,
    ) -> Self {
        self.fallible(Mount::file_system(name, system, guest, access), Self::mounted)
    }

    /// Shows what a mount shows.
    pub fn mounted(mut self, mount: Mount) -> Self {
        self.policy.mounts.push(mount);
        self
    }

    /// Shows a directory at `/input`, read-only.
    pub fn input_dir(self, directory: impl AsRef<Path>) -> Self {
        self.mount(directory, INPUT, Access::ReadOnly)
    }

    /// Shows a directory at `/output`, read-write. What is there stays there.
    pub fn output_dir(self, directory: impl AsRef<Path>) -> Self {
        self.mount(directory, OUTPUT, Access::ReadWrite)
    }

    /// Gives every run and every session an empty `/output` of its own, which is removed with its last result.
    pub fn temp_output(mut self) -> Self {
        self.policy.temporary_output = true;
        self
    }

    /// Whether a tool was added that needs approval.
    #[must_use]
    pub fn has_tools_that_need_approval(&self) -> bool {
        self.grants.tools.iter().any(Tool::needs_approval)
    }

    /// Whether approval was set to rules.
    #[must_use]
    pub fn has_approval_rules(&self) -> bool {
        matches!(self.policy.approval, Approval::Rules(_))
    }
}
