//! Programs that are taken from their contexts, where they were paused, to go on.

use std::sync::Arc;

use isolette::{Answer, Error, queue::Place};

use super::{
    execute::{longest, options, while_storing},
    in_context::end_in_context,
    outcome::Outcome,
    publish::saved_run,
};
use crate::{
    failure::Failure,
    run::LiveRun,
    sandboxes::{LiveSandbox, Loaded},
    shared::Shared,
    store::Digest,
};

/// A program that is taken from its context to go on.
pub(super) struct Taken {
    sandbox: Arc<LiveSandbox>,
    loaded: Loaded,
}

impl Taken {
    /// Takes a program that is stored as `blob`. If that fails, it is still paused.
    pub(super) async fn take(
        shared: &Arc<Shared>,
        run: &Arc<LiveRun>,
        sandbox: &str,
        blob: Digest,
    ) -> Result<Self, Failure> {
        let sandbox = shared.sandboxes.find(&run.owner, sandbox)?;
        let context = run.context.as_deref().and_then(|name| sandbox.context(name));
        let gone = || Failure::conflict("the program is gone with its context", "run it again");
        let mut guard = context.and_then(|context| context.kept_by(&run.id)).ok_or_else(gone)?;
        if let Err(failure) = guard.reserve(&shared.resources, &sandbox).await {
            guard.keep_for(&run.id);
            return Err(failure);
        }
        let mut loaded = guard.load_for(run, &shared.sandboxes, &shared.resources, &sandbox).await?;
        let continued: Result<(), Error> = async {
            let options = options(run, longest(shared, run, &sandbox.spec, loaded.sandbox())?);
            let saved = saved_run(shared, blob).await?;
            loaded.with_session(move |session| session.continue_paused(&saved, options)).await
        }
        .await;
        match continued {
            Ok(()) => Ok(Self { sandbox, loaded }),
            Err(error) => {
                loaded.keep_for(&run.id);
                Err(error.into())
            }
        }
    }

    /// Leaves it paused.
    pub(super) fn put_back(self, run: &LiveRun) {
        self.loaded.keep_for(&run.id);
    }

    /// Continues the program, and stores how it ends or that it is paused again.
    pub(super) async fn go_on(
        self,
        shared: &Arc<Shared>,
        run: &Arc<LiveRun>,
        turn: Place<Arc<str>>,
        answers: Vec<(u64, Answer)>,
    ) {
        let Self { sandbox, mut loaded } = self;
        let resumed = async {
            loaded.changes();
            match loaded.session() {
                Some(session) => session.resume_async(answers).await,
                None => Err(Error::SessionEnded { reason: "its guest is gone".into() }),
            }
        };
        let outcome = Outcome::in_session(while_storing(shared, run, resumed).await);
        drop(turn);
        end_in_context(shared, run, &sandbox, outcome, Some(loaded)).await;
        sandbox.touch();
    }
}
