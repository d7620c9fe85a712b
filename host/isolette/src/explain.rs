//! What is in effect, for a person or a program to read.

use std::{collections::BTreeMap, fmt, path::PathBuf};

use isolette_policy::{Policy, text::list};
use isolette_types::{Language, SelectedEngine};
use serde::Serialize;

use crate::{recording::Recording, shared::Shared, system::Determinism};

/// The effective engine, image and policy of a sandbox. `Display` is for people, `Serialize` for programs; both say what
/// will be enforced, not what was asked for.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Explanation {
    /// What programs are written in.
    pub language: Language,
    /// The engine, and why that one.
    pub isolation: SelectedEngine,
    /// The image.
    pub image: ImageExplanation,
    /// What a run may do.
    pub policy: Policy,
    /// Every run gets an empty `/output` of its own.
    pub temporary_output: bool,
    /// Names of the globals that are set before a program starts.
    pub variables: Vec<String>,
    /// Time and chance, if they are not the machine's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub determinism: Option<Determinism>,
    /// Where requests and calls of tools are recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record: Option<PathBuf>,
    /// Where requests and calls of tools are answered from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<PathBuf>,
}

/// Which image it is.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ImageExplanation {
    /// Its name.
    pub name: String,
    /// Its directory.
    pub directory: PathBuf,
    /// What it was built with.
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
            variables: shared.variables.iter().map(|(name, _)| name.clone()).collect(),
            determinism: shared.determinism,
            record: match &shared.recording {
                Some(Recording::Record(directory)) => Some(directory.clone()),
                _ => None,
            },
            replay: match &shared.recording {
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
        if let Some(directory) = &self.record {
            writeln!(formatter, "recording   requests and calls of tools, to {}", directory.display())?;
        }
        if let Some(directory) = &self.replay {
            writeln!(formatter, "recording   answers from {}; no server and no tool is asked", directory.display())?;
        }
        self.policy.write_terms(formatter)
    }
}
