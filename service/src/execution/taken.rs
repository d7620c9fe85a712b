//! Programs that are taken from their contexts, where they were paused, to go on.

use std::sync::Arc;

use isolette::{Answer, Error};

use super::{
    execute::{options, while_storing},
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
    /// Takes a program that is stored as `blob`, or waits in its guest if that failed.
    pub(super) async fn take(
        shared: &Arc<Shared>,
        run: &Arc<LiveRun>,
        sandbox: &str,
        blob: Option<Digest>,
    ) -> Result<Self, Failure> {
        let sandbox = shared.sandboxes.find(&run.owner, sandbox)?;
        let context = run.context.as_deref().and_then(|name| sandbox.context(name));
        let gone = || Failure::conflict("the program is gone with its context", "run it again");
        let guard = context.and_then(|context| context.kept_by(&run.id)).ok_or_else(gone)?;
        let mut loaded = guard.load_for(&run.id, &shared.sandboxes, &shared.resources, &sandbox).await?;
        if let Some(digest) = blob {
            let options = options(run);
            let continued: Result<(), Error> = async {
                let saved = saved_run(shared, digest).await?;
                loaded.with_session(move |session| session.continue_paused(&saved, options)).await
            }
            .await;
            if let Err(error) = continued {
                loaded.keep_for(&run.id, true);
                return Err(error.into());
            }
        }
        Ok(Self { sandbox, loaded })
    }

    /// Lets it wait again.
    pub(super) fn put_back(self, run: &LiveRun, is_stored: bool) {
        self.loaded.keep_for(&run.id, is_stored);
    }

    /// Continues the program, and stores how it ends or that it is paused again.
    pub(super) async fn go_on(self, shared: &Arc<Shared>, run: &Arc<LiveRun>, answers: Vec<(u64, Answer)>) {
        let Self { sandbox, mut loaded } = self;
        let resumed = async {
            let turn = shared.resources.turn(&run.owner, &run.cancel).await?;
            loaded.changes();
            let step = match loaded.session() {
                Some(session) => session.resume_async(answers).await,
                None => Err(Error::SessionEnded { reason: "its guest is gone".into() }),
            };
            drop(turn);
            Ok::<_, Failure>(Outcome::in_session(step))
        };
        let (outcome, loaded) = match while_storing(shared, run, resumed).await {
            Ok(outcome) => (outcome, Some(loaded)),
            Err(failure) => {
                loaded.discard();
                (Outcome::Refused(failure), None)
            }
        };
        end_in_context(shared, run, &sandbox, outcome, loaded).await;
        sandbox.touch();
    }
}
