//! A program in flight, independent of the request that waits for it.
//!
//! It owns its place in the queue and its sandbox, or waits for them. It outlives the request that started it if the
//! client has to ask a person first, or fetches the result later. Dropping it ends the program, unless that waits in a file.

use std::{future::Future, pin::Pin, time::Duration};

use isolette::{CancellationToken, Redaction, policy::Decision};
use rmcp::{RoleServer, model::CallToolResult, service::RequestContext};
use tokio::sync::mpsc;

use super::{
    control::{Control, Question},
    progress::Progress,
};
use crate::connection::Connection;

pub(super) type Run = Pin<Box<dyn Future<Output = Ended> + Send>>;

pub(super) struct Running {
    run: Run,
    longest: Duration,
    /// Set when the program has ended while its last output is still being sent.
    ended: Option<Ended>,
    questions: mpsc::Receiver<Question>,
    progress: Progress,
    cancel: CancellationToken,
}

/// A program that has ended, or did not start.
pub(super) struct Ended {
    /// The result that the client gets.
    pub(super) result: CallToolResult,
    /// Whether the program was cancelled.
    pub(super) cancelled: bool,
}

/// The next event of a program.
pub(super) enum Event {
    Ended(Box<Ended>),
    Asked(Box<Question>),
}

/// The caller of a program, which may give up.
pub(super) struct Caller {
    cancelled: CancellationToken,
    /// Cancelled when the client disconnects.
    gone: CancellationToken,
}

impl Caller {
    /// The client of a request.
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let gone = Connection::of(&context.extensions).map(|connection| connection.gone).unwrap_or_default();
        Self { cancelled: context.ct.clone(), gone }
    }

    /// A caller that only gives up by cancelling.
    pub(super) fn until_cancelled(cancelled: CancellationToken) -> Self {
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
    /// Passes to `start` what controls a program. `longest` is the longest time until its end, including waits; `defers` says
    /// whether it is paused while a person is asked.
    pub(super) fn start(
        redaction: &Redaction,
        longest: Duration,
        defers: bool,
        start: impl FnOnce(Control) -> Run,
    ) -> Self {
        let (asking, questions) = mpsc::channel::<Question>(1);
        let progress = Progress::new(redaction);
        let cancel = CancellationToken::new();
        let run = start(Control::new(cancel.clone(), asking, progress.sink(), defers));
        Self { run, longest, ended: None, questions, progress, cancel }
    }

    /// Takes back the end of a program, for the request or task that continues to wait.
    pub(super) fn put_back(&mut self, ended: Ended) {
        self.ended = Some(ended);
    }

    /// Cancels the program and waits for its end.
    pub(super) async fn end(mut self) {
        self.cancel.cancel();
        let caller = Caller::until_cancelled(self.cancel.clone());
        while let Event::Asked(question) = self.next(&caller).await {
            let _ = question.answer.send(Decision::deny("the run was cancelled"));
        }
    }

    /// Sends the output of the program to the client of this request.
    pub(super) fn listen(&mut self, context: &RequestContext<RoleServer>) {
        self.progress.listen(context);
    }

    /// The longest time from the start to the end.
    pub(super) fn longest(&self) -> Duration {
        self.longest
    }

    /// Stops sending output.
    pub(super) fn go_on_unheard(&mut self) {
        self.progress.listen_no_more();
    }

    /// Waits for the next event. If the caller gives up, the program is cancelled. Dropping the future can only lose
    /// output that was being sent.
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
                Some(question) = self.questions.recv() => return Event::Asked(Box::new(question)),
                () = self.progress.arrival() => {
                    // A client that does not read must not delay the end of its run.
                    tokio::select! {
                        () = self.progress.flush() => {}
                        () = caller.gives_up() => {}
                    }
                }
            }
        }
    }

    /// Waits for the answer of a person, or for the next event, whichever comes first.
    pub(super) async fn meanwhile<T>(&mut self, caller: &Caller, asked: impl Future<Output = T>) -> Result<T, Event> {
        let mut asked = std::pin::pin!(asked);
        tokio::select! {
            biased;
            answer = &mut asked => Ok(answer),
            event = self.next(caller) => Err(event),
        }
    }
}
