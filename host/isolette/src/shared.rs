//! The state that all runs and sessions of a sandbox share.

use std::sync::Arc;

use isolette_engine::{Engine, Image, ReadyGuests};
use isolette_files::Files;
use isolette_policy::Policy;
use isolette_types::{Error, Language, SelectedEngine};
use tokio_util::sync::CancellationToken;

use crate::{
    capabilities::Capabilities,
    guest_context::GuestContext,
    oversight::Oversight,
    places::{Admission, GuestPlace},
    program_settings::ProgramSettings,
    recording::Runs,
    system::{System, SystemState},
};

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) language: Language,
    pub(crate) image: Image,
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) selected: SelectedEngine,
    pub(crate) policy: Arc<Policy>,
    pub(crate) capabilities: Arc<Capabilities>,
    pub(crate) files: Arc<Files>,
    pub(crate) temporary_output: bool,
    pub(crate) programs: ProgramSettings,
    pub(crate) oversight: Oversight,
    /// How far clocks and random numbers have come in the state in which guests start.
    pub(crate) initial_system: SystemState,
    /// The runs in the recording.
    pub(crate) runs: Option<Runs>,
    /// `None` if the sandbox is in no pool.
    pub(crate) admission: Option<Admission>,
    /// The guests that are kept ready for this sandbox.
    pub(crate) _ready: Option<ReadyGuests>,
}

impl Shared {
    /// Waits for the place of a new guest on the caller's thread, if the sandbox is in a pool.
    pub(crate) fn place(&self, cancel: Option<&CancellationToken>) -> Result<Option<Arc<GuestPlace>>, Error> {
        let memory = self.policy.limits.memory;
        self.admission.as_ref().map(|admission| admission.wait(memory, cancel)).transpose()
    }

    /// Waits for the place of a new guest, for asynchronous callers.
    pub(crate) async fn place_async(
        &self,
        cancel: Option<&CancellationToken>,
    ) -> Result<Option<Arc<GuestPlace>>, Error> {
        match &self.admission {
            Some(admission) => admission.wait_async(self.policy.limits.memory, cancel).await.map(Some),
            None => Ok(None),
        }
    }

    /// Makes the context of a new guest.
    pub(crate) fn guest_context(&self, place: Option<Arc<GuestPlace>>) -> Result<GuestContext, Error> {
        self.guest_context_from(&self.initial_system, place)
    }

    /// Makes the context of a guest that continues from a state.
    pub(crate) fn guest_context_from(
        &self,
        state: &SystemState,
        place: Option<Arc<GuestPlace>>,
    ) -> Result<GuestContext, Error> {
        let system = System::continued(self.programs.determinism, state);
        GuestContext::new(&self.policy, &self.files, self.temporary_output, system, place)
    }
}
