//! The control of a program while it runs: cancellation, output, and questions to a person.

use isolette::{
    CancellationToken, CapabilityKind, RunOptions,
    policy::{CallRequest, Decision},
};
use tokio::sync::{mpsc, oneshot};

use super::{
    progress::Sink,
    state::{Changing, Program},
};

/// A pending approval.
pub(super) struct Question {
    pub(super) request: CallRequest,
    pub(super) answer: oneshot::Sender<Decision>,
    /// The state from which the program can continue in another process of the server: it then asks the same again.
    pub(super) saved: Option<Saved>,
}

/// A program that can continue in another process, once that is on record.
pub(super) struct Saved {
    pub(super) program: Program,
    /// Dropped once it is on record, or never will be.
    pub(super) changing: Changing,
}

/// The control of one program, which may have several guests one after the other.
#[derive(Clone)]
pub(super) struct Control {
    pub(super) cancel: CancellationToken,
    asking: mpsc::Sender<Question>,
    output: Sink,
    defers: bool,
    is_approved: bool,
}

impl Control {
    pub(super) fn new(cancel: CancellationToken, asking: mpsc::Sender<Question>, output: Sink, defers: bool) -> Self {
        Self { cancel, asking, output, defers, is_approved: false }
    }

    /// Notes that the program was approved as a whole.
    pub(super) fn approve_program(&mut self) {
        self.is_approved = true;
    }

    /// Whether the program is paused while a person is asked, if it can be.
    pub(super) fn defers(&self) -> bool {
        self.defers
    }

    /// The options of a run of the program.
    pub(super) fn options(&self) -> RunOptions {
        let control = self.clone();
        let approver = move |request: CallRequest| {
            let control = control.clone();
            async move {
                match request.capability {
                    CapabilityKind::Program if control.is_approved => Decision::Allow,
                    _ if control.defers && request.can_be_deferred => Decision::Defer,
                    _ => control.ask(request, None).await,
                }
            }
        };
        RunOptions::new().cancel(self.cancel.clone()).on_output(self.output.callback()).approver(approver)
    }

    /// Asks, and waits for the decision or for the cancellation of the program.
    pub(super) async fn ask(&self, request: CallRequest, saved: Option<Saved>) -> Decision {
        let (answer, decision) = oneshot::channel();
        let unanswered = || Decision::deny("the approver did not answer");
        let asked = async {
            match self.asking.send(Question { request, answer, saved }).await {
                Ok(()) => decision.await.unwrap_or_else(|_| unanswered()),
                Err(_) => unanswered(),
            }
        };
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Decision::deny("the run was cancelled"),
            decision = asked => decision,
        }
    }
}
