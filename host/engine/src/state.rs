//! The state of a guest that has been saved: other guests of the same image continue from it.

use std::sync::Arc;

use crate::{hyperlight::SavedMachine, process::SavedProcess};

/// What a guest has changed since it was created from its image: its memory, which contains its globals, modules and
/// temporary files. Copies share it.
///
/// It has no value that the host does not check again when a guest continues from it: a guest may have written anything there.
#[derive(Clone, Debug)]
pub struct GuestState(Arc<Saved>);

/// The state in the form of an engine.
#[derive(Debug)]
pub(crate) enum Saved {
    Process(SavedProcess),
    Machine(SavedMachine),
}

impl GuestState {
    pub(crate) fn new(saved: Saved) -> Self {
        Self(Arc::new(saved))
    }

    pub(crate) fn saved(&self) -> &Saved {
        &self.0
    }

    /// The number of bytes that this state keeps in memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &*self.0 {
            Saved::Process(process) => process.bytes(),
            Saved::Machine(machine) => machine.bytes(),
        }
    }
}
