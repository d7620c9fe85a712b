//! The start of a run: its host's side, and the first message to the guest.

use std::{
    sync::{Arc, PoisonError},
    time::{Duration, SystemTime},
};

use isolette_abi::{Mode, Start, encode};
use sha2::Digest as _;

use isolette_engine::Guest;
use isolette_types::{ArgumentsDigest, Error, RunId, Unit};

use super::{
    Kind, Run,
    context::{Begun, Context},
    message::{dialect, provide, style, variables},
};
use crate::{
    audit::{RecordedArguments, RunAudit, RunBegan, RunScope, SHOWN_LIMIT},
    call_mode,
    guest_context::GuestContext,
    options::RunOptions,
    shared::Shared,
};

/// Bytes that a start message carries inline; the rest of its 256 KiB is for mounts and the file name, which are
/// bounded.
const CODE_INLINE: usize = 128 << 10;
const VARIABLES_INLINE: usize = 64 << 10;

impl Run {
    pub(crate) fn start(
        shared: &Arc<Shared>,
        context: &GuestContext,
        guest: &Guest,
        code: &str,
        mut options: RunOptions,
        Kind { session, mode, can_pause }: Kind,
    ) -> Result<Self, Error> {
        let limits = &shared.policy.limits;
        let code_bytes = code.len() as u64;
        if code_bytes > limits.code {
            return Err(Error::LimitExceeded { what: "code", unit: Unit::Bytes, limit: limits.code, used: code_bytes });
        }
        let variables = variables(&shared.programs.variables, &options.variables)?;
        let run = RunId::random();
        let labels = std::mem::take(&mut options.labels);
        let filename = options.filename.take();
        let filename = filename.as_deref().unwrap_or_else(|| shared.language.filename());
        let call_modes = call_mode::of_program(shared, code, mode != Mode::Fresh);
        let recording = shared.runs.as_ref().map(|runs| Arc::new(runs.begin(code, &options.variables)));
        let begun = Begun {
            run,
            session,
            labels: labels.clone(),
            code_bytes,
            can_pause,
            call_modes,
            recording,
            earlier: (Duration::ZERO, Duration::ZERO),
        };
        let mut host = Context::new(shared, context, options, begun, |audit, time| {
            let began = |scope| began(shared, time, scope, filename, code);
            RunAudit::begin(audit, run, session, labels, limits.audit_bytes, began)
        })?;
        let mut broker = host.broker();
        let message = encode(&Start {
            version: isolette_abi::VERSION,
            seed: context.system.random_seed(),
            mounts: context.files.mounts(),
            code: provide(&mut broker, "code", code.as_bytes(), CODE_INLINE)?,
            filename,
            variables: provide(&mut broker, "variables", &variables, VARIABLES_INLINE)?,
            mode,
            http_body: shared.programs.http_body.into(),
            tool_calls: style(host.call_modes.tools.as_ref()),
            interface_calls: style(host.call_modes.interfaces.as_ref()),
            dialect: dialect(shared.programs.dialect),
        });
        drop(broker);
        host.go_live();
        // Changes that were made before the run do not count as files of this run.
        drop(context.quota.lock().unwrap_or_else(PoisonError::into_inner).take_changes());
        let pending = guest.submit(message, host.broker.clone(), host.deadline.clone(), host.cancel.clone());
        Ok(Self { pending, context: host })
    }
}

fn began(shared: &Shared, time: SystemTime, scope: RunScope, filename: &str, code: &str) -> RunBegan {
    let shown = shared.oversight.recorded_arguments() == RecordedArguments::Whole && code.len() <= SHOWN_LIMIT;
    RunBegan {
        time,
        scope,
        language: shared.language,
        engine: shared.selected.engine,
        program: filename.to_owned(),
        code_bytes: code.len() as u64,
        code_sha256: ArgumentsDigest::of(|hasher| hasher.update(code)),
        code: shown.then(|| shared.oversight.redaction.text(code)),
    }
}
