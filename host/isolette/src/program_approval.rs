//! Asks for approval of a whole program before it starts ([`Approval::Always`]). The run has not begun, so no deadline
//! applies yet; the run's cancellation token also cancels the request for approval.

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use isolette_deadline::{Deadline, wait_until};
use isolette_policy::{Approval, CallRequest, Decision};
use isolette_types::Error;

use crate::{options::RunOptions, shared::Shared};

/// Returns the pending approval of a program, or `None` if the policy does not ask for one. The future can be awaited
/// on any thread.
pub(crate) fn question(
    shared: &Shared,
    code: &str,
    options: &RunOptions,
) -> Result<Option<impl Future<Output = Result<(), Error>> + Send + 'static>, Error> {
    if shared.policy.approval != Approval::Always {
        return Ok(None);
    }
    let Some(approver) = options.approver.as_ref().or(shared.oversight.approver.as_ref()) else {
        return Err(Error::NotApproved { message: "every program needs approval, and there is no approver".into() });
    };
    let name = options.filename.clone().unwrap_or_else(|| shared.language.filename().to_owned());
    let asked = approver.ask(CallRequest::of_program(name, code))?;
    let cancel = options.cancel.clone().unwrap_or_default();
    Ok(Some(async move {
        tokio::select! {
            biased;
            () = cancel.cancelled() => Err(Error::Cancelled { partial: Box::default() }),
            decision = asked => match decision {
                Decision::Allow => Ok(()),
                Decision::Deny(message) => Err(Error::NotApproved { message }),
                Decision::Defer => Err(Error::NotApproved {
                    message: "the decision about the program was deferred; start it once it is approved".into(),
                }),
            },
        }
    }))
}

/// Waits for the approval on the caller's thread.
pub(crate) fn blocking(shared: &Shared, code: &str, options: &RunOptions) -> Result<(), Error> {
    let Some(question) = question(shared, code, options)? else { return Ok(()) };
    let end = Deadline::new(Duration::MAX, Duration::MAX, CancellationToken::new()).at();
    wait_until(end, question)
        .unwrap_or_else(|| Err(Error::NotApproved { message: "the approver did not answer".into() }))
}
