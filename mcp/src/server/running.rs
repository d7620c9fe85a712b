//! A program under way, whoever waits for it at the moment.
//!
//! It owns its place in the queue and its sandbox, and outlives the request that began it where the client has to ask a
//! person something before it can go on. When it is dropped, the program is ended.

use std::{future::Future, pin::Pin};

use isolette::{
    CancellationToken, Error, ExecutionResult, Redaction, RunOptions,
    policy::{CallRequest, Decision},
};
use rmcp::{RoleServer, service::RequestContext};
use tokio::sync::{mpsc, oneshot};

use super::progress::Progress;
use crate::transport::http::Connection;

type Run = Pin<Box<dyn Future<Output = Result<ExecutionResult, Error>> + Send>>;

pub(super) struct Running {
    run: Run,
    questions: mpsc::Receiver<Question>,
    progress: Progress,
    cancel: CancellationToken,
}

/// What somebody has to agree to.
pub(super) struct Question {
    pub(super) request: CallRequest,
    pub(super) answer: oneshot::Sender<Decision>,
}

/// What happens next with a program.
pub(super) enum Event {
    Ended(Box<Result<ExecutionResult, Error>>),
    Asked(Question),
}

impl Running {
    /// Prepares options under which a program is watched, and gives them to what starts it.
    pub(super) fn start(redaction: &Redaction, start: impl FnOnce(RunOptions) -> Run) -> Self {
        let (asking, questions) = mpsc::channel::<Question>(1);
        let progress = Progress::new(redaction);
        let cancel = CancellationToken::new();
        let ask = move |request| {
            let asking = asking.clone();
            async move {
                let (answer, decision) = oneshot::channel();
                let nobody = || Decision::deny("nobody answered");
                match asking.send(Question { request, answer }).await {
                    Ok(()) => decision.await.unwrap_or_else(|_| nobody()),
                    Err(_) => nobody(),
                }
            }
        };
        let options = RunOptions::new().cancel(cancel.clone()).on_output(progress.sink()).approver(ask);
        Self { run: start(options), questions, progress, cancel }
    }

    /// Has the client of this request hear what the program prints.
    pub(super) fn listen(&mut self, context: &RequestContext<RoleServer>) {
        self.progress.listen(context);
    }

    /// Waits for what happens next, on behalf of a request. When that is cancelled, or its client gone, the program is
    /// ended.
    pub(super) async fn next(&mut self, context: &RequestContext<RoleServer>) -> Event {
        let gone = Connection::of(&context.extensions).map(|connection| connection.gone).unwrap_or_default();
        loop {
            tokio::select! {
                biased;
                result = &mut self.run => {
                    self.progress.finish().await;
                    return Event::Ended(Box::new(result));
                }
                () = context.ct.cancelled(), if !self.cancel.is_cancelled() => self.cancel.cancel(),
                () = gone.cancelled(), if !self.cancel.is_cancelled() => self.cancel.cancel(),
                Some(question) = self.questions.recv() => return Event::Asked(question),
                () = self.progress.arrival() => {
                    // A client that does not read must not keep the end of its run from being seen.
                    tokio::select! {
                        () = self.progress.flush() => {}
                        () = context.ct.cancelled() => {}
                        () = gone.cancelled() => {}
                    }
                }
            }
        }
    }

    /// Waits for the end, while a person is asked something on behalf of the same request.
    pub(super) async fn meanwhile<T>(
        &mut self,
        context: &RequestContext<RoleServer>,
        asked: impl Future<Output = T>,
    ) -> Result<T, Event> {
        let mut asked = std::pin::pin!(asked);
        tokio::select! {
            biased;
            answer = &mut asked => Ok(answer),
            event = self.next(context) => Err(event),
        }
    }
}
