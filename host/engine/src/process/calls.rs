//! The calls of a run, up to its end or its pause.

use std::sync::PoisonError;

use isolette_abi::{
    frames::Kind,
    runtime::{HostReply, RunReply},
};
use isolette_deadline::{Deadline, Stop};

use super::frames::{Broken, Process};
use crate::SharedHost;

/// The progress of a process.
pub(super) enum Advanced {
    Ended(RunReply),
    /// The process waits for the reply to its last call.
    Paused,
}

/// Handles the calls of a run until it ends or is paused. Its CPU time is measured by `deadline`, if it has one. `stop` becomes
/// the host's reason to end it.
pub(super) fn until_ended(
    process: &mut Process,
    host: &SharedHost,
    deadline: Option<&Deadline>,
    stop: &mut Option<Stop>,
) -> Result<Advanced, Broken> {
    loop {
        let received = process.receive();
        let waited = process.take_waited();
        if let Some(deadline) = deadline {
            deadline.cpu().exclude_wait(waited);
        }
        let (kind, contents) = received?;
        match kind {
            Kind::Call => {
                let result =
                    process.handle.in_call(|| host.lock().unwrap_or_else(PoisonError::into_inner).call(&contents));
                let reply = match &result {
                    Ok(reply) => HostReply::Reply(reply.as_slice()),
                    Err(Stop::Paused) => return Ok(Advanced::Paused),
                    Err(reason) => {
                        *stop = Some(*reason);
                        HostReply::Stop
                    }
                };
                process.send(Kind::Reply, &reply.encode())?;
            }
            Kind::Ended => return RunReply::decode(contents).map(Advanced::Ended).map_err(|_| Broken::Malformed),
            Kind::Failed => return Err(Broken::Failed(String::from_utf8_lossy(&contents).into_owned())),
            Kind::Run | Kind::Reply | Kind::Ready => return Err(Broken::Malformed),
        }
    }
}
