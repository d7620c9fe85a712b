//! The saved state of a session.

use std::sync::Arc;

use isolette_engine::GuestState;
use isolette_types::{EngineName, Error};

use crate::{shared::Shared, system::SystemState};

/// The state of a session at one moment: globals, modules and the files in `/tmp`. Sessions that continue from it
/// ([`Sandbox::session_from`](crate::Sandbox::session_from), [`Session::restore`](crate::Session::restore)) do not
/// affect each other.
///
/// It contains no rights. Policy, mounts, tools and budgets are those of the sandbox whose session continues from it; what
/// is not granted there fails as denied. Files on mounts, `/output` included, are not part of it. Random numbers and
/// identifiers of runs are new in each session, except those of generators that a program seeded itself, such as
/// `random.Random(7)`.
///
/// Clones share the memory.
#[derive(Clone, Debug)]
pub struct Snapshot(Arc<Saved>);

#[derive(Debug)]
struct Saved {
    state: GuestState,
    system: SystemState,
    /// The digest of the image, and the engine that can continue from the state.
    image: String,
    engine: EngineName,
}

impl Snapshot {
    pub(crate) fn new(shared: &Shared, state: GuestState, system: SystemState) -> Self {
        let (image, engine) = (shared.image.digest().to_owned(), shared.selected.engine);
        Self(Arc::new(Saved { state, system, image, engine }))
    }

    /// The number of bytes that the snapshot keeps in memory. With isolation `process`, that is what the session has
    /// changed since its start; with `microvm`, all memory that its guest can have.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.0.state.bytes()
    }

    pub(crate) fn state(&self) -> &GuestState {
        &self.0.state
    }

    pub(crate) fn system(&self) -> &SystemState {
        &self.0.system
    }

    /// Checks that guests of a sandbox can continue from the snapshot.
    pub(crate) fn check(&self, shared: &Shared) -> Result<(), Error> {
        let (image, engine) = (shared.image.digest(), shared.selected.engine);
        if self.0.image != image {
            return Err(Error::invalid(
                format!("the snapshot is of another image: {}, and the sandbox has {image}", self.0.image),
                "use a sandbox with the image of the snapshot",
            ));
        }
        if self.0.engine != engine {
            return Err(Error::invalid(
                format!("the snapshot is of the isolation `{}`, and the sandbox has `{engine}`", self.0.engine),
                "use a sandbox with the isolation of the snapshot",
            ));
        }
        Ok(())
    }
}
