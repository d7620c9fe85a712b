//! A program under way, whoever waits for it at the moment.
//!
//! It owns its place in the queue and its sandbox, or waits for them, and outlives the request that began it where the
//! client has to ask a person something before it can go on, or comes back for the result. When it is dropped, the program
//! is ended.

use std::{future::Future, pin::Pin, time::Duration};

use isolette::{
    CancellationToken, Redaction, RunOptions,
    policy::{CallRequest, Decision},
};
use rmcp::{RoleServer, model::CallToolResult, service::RequestContext};
use tokio::sync::{mpsc, oneshot};

use super::progress::Progress;
use crate::connection::Connection;

pub(super) type Run = Pin<Box<dyn Future<Output = Ended> + Send>>;

pub(super) struct Running {
    run: Run,
    longest: Duration,
    /// It has ended, and its last output is on its way to the client.
    ended: Option<Ended>,
    questions: mpsc::Receiver<Question>,
    progress: Progress,
    cancel: CancellationToken,
}

/// What somebody has to agree to.
pub(super) struct Question {
    pub(super) request: CallRequest,
    pub(super) answer: oneshot::Sender<Decision>,
}

/// A program that has come to its end, or never began.
pub(super) struct Ended {
    /// As the client gets it.
    pub(super) result: CallToolResult,
    /// Whether it was given up, and that is all there is to say.
    pub(super) cancelled: bool,
}

/// What happens next with a program.
pub(super) enum Event {
    Ended(Box<Ended>),
    Asked(Question),
}

/// Somebody who waits for a program, and may give up.
pub(super) struct Caller {
    cancelled: CancellationToken,
    /// Without a word.
    gone: CancellationToken,
}

impl Caller {
    /// Whoever has sent a request.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let gone = Connection::of(&context.extensions).map(|connection| connection.gone).unwrap_or_default();
        Self { cancelled: context.ct.clone(), gone }
    }

    /// Somebody who gives up only by saying so.
    pub(super) fn patient(cancelled: CancellationToken) -> Self {
        Self { cancelled, gone: CancellationToken::new() }
    }

    pub(super) fn gave_up(&self) -> bool {
        self.cancelled.is_cancelled() || self.gone.is_cancelled()
    }

    async fn gives_up(&self) {
        tokio::select! {
            () = self.cancelled.cancelled() => {}
            () = self.gone.cancelled() => {}
        }
    }
}

impl Running {
    /// Prepares options under which a program is watched, and gives them to what starts it, with what is cancelled when it
    /// is given up. With all that it may have to wait for it takes `longest` at the most.
    pub(super) fn start(
        redaction: &Redaction,
        longest: Duration,
        start: impl FnOnce(RunOptions, CancellationToken) -> Run,
    ) -> Self {
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
        Self { run: start(options, cancel.clone()), longest, ended: None, questions, progress, cancel }
    }

    /// Has the client of this request hear what the program prints.
    pub(super) fn listen(&mut self, context: &RequestContext<RoleServer>) {
        self.progress.listen(context);
    }

    /// How long it takes at the most, from its beginning on.
    pub(super) fn longest(&self) -> Duration {
        self.longest
    }

    /// Has nobody hear any more what the program prints.
    pub(super) fn go_on_unheard(&mut self) {
        self.progress.listen_no_more();
    }

    /// Waits for what happens next, on behalf of somebody who gives up when the program is to be ended. Dropping the future
    /// loses nothing but output that was just being sent.
    pub(super) async fn next(&mut self, caller: &Caller) -> Event {
        loop {
            if self.ended.is_some() {
                self.progress.finish().await;
                if let Some(ended) = self.ended.take() {
                    return Event::Ended(Box::new(ended));
                }
            }
            tokio::select! {
                biased;
                ended = &mut self.run => self.ended = Some(ended),
                () = caller.gives_up(), if !self.cancel.is_cancelled() => self.cancel.cancel(),
                Some(question) = self.questions.recv() => return Event::Asked(question),
                () = self.progress.arrival() => {
                    // A client that does not read must not keep the end of its run from being seen.
                    tokio::select! {
                        () = self.progress.flush() => {}
                        () = caller.gives_up() => {}
                    }
                }
            }
        }
    }

    /// Waits for the end, while a person is asked something on behalf of the same caller.
    pub(super) async fn meanwhile<T>(&mut self, caller: &Caller, asked: impl Future<Output = T>) -> Result<T, Event> {
        let mut asked = std::pin::pin!(asked);
        tokio::select! {
            biased;
            answer = &mut asked => Ok(answer),
            event = self.next(caller) => Err(event),
        }
    }
}
