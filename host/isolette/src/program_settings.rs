//! Settings of the programs of a sandbox: its builder makes them, and its runs read them.

use isolette_policy::HttpBody;
use isolette_types::{Dialect, ToolCalls};
use serde_json::Value;

use crate::{recording::Recording, system::Determinism};

/// What every program of a sandbox gets, and how its calls are made.
#[derive(Debug, Default)]
pub(crate) struct ProgramSettings {
    /// Globals that are set before a program begins.
    pub(crate) variables: Vec<(String, Value)>,
    pub(crate) http_body: HttpBody,
    pub(crate) tool_calls: ToolCalls,
    pub(crate) dialect: Dialect,
    /// `None` if clocks and random numbers are those of the host.
    pub(crate) determinism: Option<Determinism>,
    pub(crate) recording: Option<Recording>,
}

impl ProgramSettings {
    /// Sets a variable in place of an earlier one of this name.
    pub(crate) fn set_variable(&mut self, name: &str, value: Value) {
        self.variables.retain(|(other, _)| other != name);
        self.variables.push((name.to_owned(), value));
    }
}
