//! The host's side of a run that waits for answers, as it is saved beside the memory of its guest.

use std::{sync::Arc, time::Duration};

use isolette_engine::Guest;
use isolette_types::{CallModes, Error, PausedCall, RunId, SessionId};
use serde::{Deserialize, Serialize};

use super::{
    context::{Begun, Context},
    saved_output::SavedOutput,
    waiting::Waiting,
};
use crate::{
    audit::{RunAudit, SavedAudit},
    broker::SavedBroker,
    guest_context::GuestContext,
    metrics::Metrics,
    options::RunOptions,
    shared::Shared,
    snapshot::{RUN_LIMIT, Snapshot},
};

/// The host's side of a paused run.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunState {
    pub(crate) run: RunId,
    labels: Vec<(String, String)>,
    code_bytes: u64,
    call_modes: CallModes,
    wall_time: Duration,
    cpu_time: Duration,
    audit: SavedAudit,
    broker: SavedBroker,
    output: SavedOutput,
}

impl RunState {
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Error> {
        // Arguments are nested as deeply as JSON of a program may be, in what was written here.
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        deserializer.disable_recursion_limit();
        Self::deserialize(&mut deserializer).map_err(|error| {
            Error::invalid(
                format!("the paused program cannot be loaded: its description is malformed: {error}"),
                "save it again with this version of isolette",
            )
        })
    }

    /// The calls that have no answer.
    pub(crate) fn calls(&self) -> Vec<PausedCall> {
        self.broker.calls()
    }
}

impl Waiting {
    /// Saves the run. It goes on waiting here.
    pub(crate) fn save(&mut self, guest: &Guest) -> Result<Snapshot, Error> {
        let waited = self.waited();
        let context = &self.context;
        let unavailable = |reason: String, hint: &str| Error::Unavailable {
            what: "a file of the paused program".into(),
            reason,
            hint: hint.into(),
        };
        if let Some(held) = context.guest.held_in_host(&context.shared.capabilities.interfaces) {
            let reason = format!("it holds {held}, which exist in the host only");
            return Err(unavailable(reason, "have the program release them before the call"));
        }
        let broker = context.broker().save().map_err(|reason| unavailable(reason, "answer the call here"))?;
        let output = SavedOutput::read(&context.guest, context.shared.temporary_output);
        let output = output.map_err(|reason| unavailable(reason, "answer the call here, or mount a directory"))?;
        let mut audit = SavedAudit::default();
        context.note(|of_run| audit = of_run.save());
        context.wait_for_audit()?;
        let run = RunState {
            run: context.run,
            labels: context.labels.clone(),
            code_bytes: context.code_bytes,
            call_modes: context.call_modes.clone(),
            wall_time: context.wall_time().saturating_sub(waited),
            cpu_time: context.deadline.cpu().used(),
            audit,
            broker,
            output,
        };
        let run = serde_json::to_vec(&run).map_err(|error| unavailable(error.to_string(), "report this"))?;
        if run.len() as u64 > RUN_LIMIT {
            let reason = format!("its output and calls take {} bytes, and {RUN_LIMIT} can be loaded", run.len());
            return Err(unavailable(reason, "lower the limits of output and recorded calls"));
        }
        let state = guest.save().map_err(|missing| unavailable(missing.reason, missing.hint))?;
        Ok(Snapshot::of_run(&context.shared, state, context.guest.system.state(), run))
    }

    /// Continues to wait, in another process. Limits, rules and budgets are those of the sandbox and the options.
    /// `guest_context` is that of its guest, and `session` the session that it is continued in.
    pub(crate) fn load(
        shared: &Arc<Shared>,
        guest_context: &GuestContext,
        session: Option<SessionId>,
        snapshot: &Snapshot,
        saved: RunState,
        options: RunOptions,
    ) -> Result<(Self, Guest), Error> {
        let state = snapshot.state(shared)?;
        saved.output.write(guest_context, shared.temporary_output)?;
        let labels = if options.labels.is_empty() { saved.labels } else { options.labels.clone() };
        let begun = Begun {
            run: saved.run,
            session,
            labels: labels.clone(),
            code_bytes: saved.code_bytes,
            can_pause: true,
            call_modes: saved.call_modes,
            recording: None,
            earlier: (saved.wall_time, saved.cpu_time),
        };
        let limit = shared.policy.limits.audit_bytes;
        let mut context = Context::new(shared, guest_context, options, begun, |audit, _| {
            RunAudit::continued(audit, saved.run, session, labels, limit, &saved.audit)
        })?;
        context.deadline.pause();
        context.go_live();
        let counted = shared.oversight.metrics.as_ref().map(Metrics::guest);
        let start = || {
            context.broker().restore(saved.broker)?;
            let (engine, memory) = (Arc::clone(&shared.engine), shared.policy.limits.memory);
            Guest::start(engine, memory, Some(state), None, guest_context.at_end(counted))
        };
        let started = start();
        let waiting = Self::again(context);
        match started {
            Ok(guest) => Ok((waiting, guest)),
            Err(error) => {
                // The program still waits in its file.
                waiting.leave();
                Err(error)
            }
        }
    }
}
