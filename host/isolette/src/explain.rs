//! The effective configuration of a sandbox, for people and for programs.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use isolette_policy::{Policy, text::list};
use isolette_types::{CallModes, Dialect, Language, SelectedEngine, ToolCalls};
use serde::Serialize;

use crate::{recording::Recording, shared::Shared, system::Determinism};

/// The effective engine, image and policy of a sandbox: what is enforced, which can differ from what was requested.
/// `Display` writes text for people, `Serialize` a structure for programs.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// The language of the programs.
    pub language: Language,
    /// The selected engine, and the reason for the selection.
    pub isolation: SelectedEngine,
    /// The image that guests are started from.
    pub image: ImageExplanation,
    /// The policy that is enforced for every run.
    pub policy: Policy,
    /// Whether every run or session gets an empty `/output` directory of its own.
    pub temporary_output: bool,
    /// Names of the globals that are set before a program starts.
    pub variables: Vec<String>,
    /// The fixed clock and random seed; `None` if those of the machine are used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub determinism: Option<Determinism>,
    /// What calls of tools and of functions of custom interfaces return.
    pub tool_calls: ToolCalls,
    /// The names and conventions by which programs call tools.
    pub dialect: Dialect,
    /// What calls return in one program: see [`Sandbox::explain_program`](crate::Sandbox::explain_program).
    #[serde(skip_serializing_if = "CallModes::is_empty")]
    pub call_modes: CallModes,
    /// The directory to which HTTP requests and tool calls are recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<PathBuf>,
    /// The directory from which HTTP requests and tool calls are answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<PathBuf>,
}

/// Identifies the image of a sandbox.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ImageExplanation {
    /// The name in the image's manifest.
    pub name: String,
    /// The directory on the host.
    pub directory: PathBuf,
    /// The components that the image was built with: name and version.
    pub components: BTreeMap<String, String>,
}

impl Explanation {
    pub(crate) fn new(shared: &Shared) -> Self {
        let manifest = shared.image.manifest();
        Self {
            language: shared.language,
            isolation: shared.selected.clone(),
            image: ImageExplanation {
                name: manifest.name.clone(),
                directory: shared.image.directory().to_owned(),
                components: manifest.components.clone(),
            },
            policy: Policy::clone(&shared.policy),
            temporary_output: shared.temporary_output,
            variables: shared.programs.variables.iter().map(|(name, _)| name.clone()).collect(),
            determinism: shared.programs.determinism,
            tool_calls: shared.programs.tool_calls,
            dialect: shared.programs.dialect,
            call_modes: CallModes::default(),
            record: match &shared.programs.recording {
                Some(Recording::Record(directory)) => Some(directory.clone()),
                _ => None,
            },
            replay: match &shared.programs.recording {
                Some(Recording::Replay(directory)) => Some(directory.clone()),
                _ => None,
            },
        }
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let components: Vec<_> =
            self.image.components.iter().map(|(name, version)| format!("{name} {version}")).collect();
        writeln!(formatter, "language    {}", self.language)?;
        writeln!(formatter, "isolation   {}: {}", self.isolation.engine, self.isolation.reason)?;
        writeln!(formatter, "image       {} in {}", self.image.name, self.image.directory.display())?;
        writeln!(formatter, "            {}", components.join(", "))?;
        self.policy.write_reach(formatter)?;
        if self.temporary_output {
            writeln!(formatter, "mount       /output (read-write) temporary, empty for every run")?;
        }
        writeln!(formatter, "mount       /tmp (read-write) in the guest's own memory")?;
        writeln!(formatter, "variables   {}", list(&self.variables))?;
        if let Some(determinism) = self.determinism {
            writeln!(formatter, "time        {determinism}")?;
        }
        writeln!(formatter, "tool_calls  {}", self.tool_calls)?;
        writeln!(formatter, "dialect     {}", self.dialect)?;
        let modes = [("tools", &self.call_modes.tools), ("interfaces", &self.call_modes.interfaces)];
        for (of, mode) in modes {
            if let Some(mode) = mode {
                writeln!(formatter, "            calls of {of} in this program are {mode}")?;
            }
        }
        if let Some(directory) = &self.record {
            writeln!(formatter, "recording   requests and calls of tools, to {}", directory.display())?;
        }
        if let Some(directory) = &self.replay {
            writeln!(formatter, "recording   answers from {}; no server and no tool is asked", directory.display())?;
        }
        self.policy.write_terms(formatter)
    }
}
