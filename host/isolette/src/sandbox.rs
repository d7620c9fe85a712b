//! The sandbox: the configuration and the capabilities that its runs share.

use std::sync::Arc;

use isolette_abi::Mode;
use isolette_capabilities::Capability;
use isolette_engine::{Guest, Image};
use isolette_policy::Redaction;
use isolette_tools::catalog::Catalog;
use isolette_types::{Error, ExecutionResult, Language};
use serde_json::Value;

use crate::{
    call_mode,
    explain::Explanation,
    metrics::Metrics,
    options::RunOptions,
    paused::{PausedRun, SavedRun, Step},
    places::GuestPlace,
    program_approval,
    run::{Kind, Run},
    session::Session,
    shared::Shared,
    snapshot::Snapshot,
};

/// Runs untrusted programs.
///
/// Every run starts in a fresh instance of the image: names, modules and `/tmp` files of earlier runs do not exist in
/// it. A sandbox can be shared between threads, whose runs proceed in parallel, and used from asynchronous code
/// ([`Sandbox::run_async`]) or blocking code ([`Sandbox::run`]). With the engine `wasm`, at most 2,048 guests can be
/// live in one process, those of sessions included; starting one more fails with [`Error::Unavailable`]. With the others, the
/// system has limits. A [`SandboxPool`](crate::SandboxPool) has callers wait instead.
#[derive(Clone, Debug)]
pub struct Sandbox {
    pub(crate) shared: Arc<Shared>,
}

impl Sandbox {
    /// Runs a program in a fresh instance and waits for its end.
    ///
    /// An exception in the program is not an error: it is in the result.
    ///
    /// # Errors
    /// - The host ended the program: [`Error::Timeout`], [`Error::Cancelled`], [`Error::OutOfMemory`],
    ///   [`Error::StackOverflow`], [`Error::GuestCrashed`], or the error of another limit. These carry the partial
    ///   result.
    /// - The program is too long: [`Error::LimitExceeded`].
    /// - The program is not approved: [`Error::NotApproved`].
    /// - A budget is spent: [`Error::BudgetSpent`].
    /// - The run cannot be recorded: [`Error::Audit`].
    /// - The machine has no capacity for another guest: [`Error::Unavailable`].
    /// - The sandbox is of a pool that has no place for another guest: [`Error::Busy`].
    pub fn run(&self, code: &str) -> Result<ExecutionResult, Error> {
        self.run_with(code, RunOptions::default())
    }

    /// Runs a program with options.
    ///
    /// # Errors
    /// As [`Sandbox::run`], and [`Error::InvalidArgument`] for an invalid variable name.
    pub fn run_with(&self, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        program_approval::blocking(&self.shared, code, &options)?;
        let place = self.shared.place(options.cancel.as_ref())?;
        let (guest, run) = self.begin(place, code, options, false)?;
        // The guest then ends with its program, and makes room for the next one.
        drop(guest);
        run.wait()
    }

    /// Like [`Sandbox::run_with`], for asynchronous callers on any runtime. Dropping the future cancels the run.
    ///
    /// # Errors
    /// As [`Sandbox::run_with`].
    pub async fn run_async(&self, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        if let Some(question) = program_approval::question(&self.shared, code, &options)? {
            question.await?;
        }
        let place = self.shared.place_async(options.cancel.as_ref()).await?;
        let (guest, run) = self.begin(place, code, options, false)?;
        drop(guest);
        run.wait_async().await
    }

    /// Calls a function that the component in the image exports, such as `docs:text/analysis#words`, with or without a
    /// version. `arguments` is an array in the order of the parameters, or an object by their names.
    ///
    /// Values are JSON: a record is an object with the field names of the WIT, a variant is the name of its case or
    /// `{"case": value}`, flags are an array of the names that are set, `none` is null, a result is `{"ok": value}` or
    /// `{"error": value}`. A function that does not exist and arguments of the wrong type are reported as an error in
    /// the result.
    ///
    /// # Errors
    /// As [`Sandbox::run`], and [`Error::InvalidArgument`] if the image contains an interpreter instead of such a
    /// component.
    pub fn call(&self, function: &str, arguments: Value) -> Result<ExecutionResult, Error> {
        self.call_with(function, arguments, RunOptions::default())
    }

    /// Calls a function that the component in the image exports, with options. The option `filename` is replaced by
    /// `function`.
    ///
    /// # Errors
    /// As [`Sandbox::call`].
    pub fn call_with(&self, function: &str, arguments: Value, options: RunOptions) -> Result<ExecutionResult, Error> {
        if self.shared.language != Language::Component {
            return Err(Error::invalid(
                format!("the image runs programs in {}, and exports no functions of its own", self.shared.language),
                "run a program, or make an image of a component: `cargo xtask image build --component`",
            ));
        }
        self.run_with(&arguments.to_string(), options.filename(function))
    }

    /// Starts a program in a fresh instance and waits until it ends, or until it waits for the answer to a call of a
    /// deferred tool ([`Tool::deferred`](crate::Tool::deferred)).
    ///
    /// ```no_run
    /// use isolette::{Answer, Isolation, Sandbox, Step, Tool};
    /// # use serde_json::json;
    ///
    /// let ask = Tool::deferred("ask", "Asks a person", json!({ "type": "object" }))?;
    /// let sandbox = Sandbox::builder().isolation(Isolation::Process).tool(ask).build()?;
    /// let Step::Paused(mut paused) = sandbox.start("call_tool('ask', question='May I?')")? else { panic!() };
    /// assert_eq!(paused.calls()[0].arguments["question"], "May I?");
    /// let Step::Done(result) = paused.resume(Answer::Value(json!("yes")))? else { panic!() };
    /// assert_eq!(result.value, Some(json!("yes")));
    /// # Ok::<(), isolette::Error>(())
    /// ```
    ///
    /// # Errors
    /// As of [`Sandbox::run`].
    pub fn start(&self, code: &str) -> Result<Step, Error> {
        self.start_with(code, RunOptions::default())
    }

    /// Starts a program with options, as [`Sandbox::start`] does.
    ///
    /// # Errors
    /// As of [`Sandbox::run_with`].
    pub fn start_with(&self, code: &str, options: RunOptions) -> Result<Step, Error> {
        program_approval::blocking(&self.shared, code, &options)?;
        let place = self.shared.place(options.cancel.as_ref())?;
        let (guest, run) = self.begin(place, code, options, true)?;
        Step::of(guest, run)
    }

    /// Like [`Sandbox::start_with`], for asynchronous callers on any runtime. Dropping the future cancels the run.
    ///
    /// # Errors
    /// As of [`Sandbox::run_with`].
    pub async fn start_async(&self, code: &str, options: RunOptions) -> Result<Step, Error> {
        if let Some(question) = program_approval::question(&self.shared, code, &options)? {
            question.await?;
        }
        let place = self.shared.place_async(options.cancel.as_ref()).await?;
        let (guest, run) = self.begin(place, code, options, true)?;
        Step::of_async(guest, run).await
    }

    /// Takes a paused program over that was saved, in this process or another one. It waits for the same calls. Its rights,
    /// limits and budgets are those of this sandbox, which needs the same image and isolation: a call of a tool that it does
    /// not have fails. Calls, time, output and written bytes of the program from before count.
    ///
    /// Variables and the file name of the options have no effect, and labels replace those of the program if there are any.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the program is of another image, isolation, version or kind of processor;
    /// [`Error::LimitExceeded`] if what it keeps in the host is more than the limits permit. The guest is started meanwhile; if that
    /// fails, the step after it reports it, and the program can be taken over again.
    pub fn paused_from(&self, saved: &SavedRun, options: RunOptions) -> Result<PausedRun, Error> {
        PausedRun::from_saved(&self.shared, saved, options)
    }

    fn begin(
        &self,
        place: Option<Arc<GuestPlace>>,
        code: &str,
        options: RunOptions,
        can_pause: bool,
    ) -> Result<(Guest, Run), Error> {
        let context = self.shared.guest_context(place)?;
        let counted = self.shared.oversight.metrics.as_ref().map(Metrics::guest);
        let memory = self.shared.policy.limits.memory;
        let initial = self.shared.engine.initial_state().cloned();
        let mode = if initial.is_some() { Mode::Warm } else { Mode::Fresh };
        let kind = Kind { session: None, mode, can_pause: can_pause && self.shared.selected.engine.saves_states() };
        let guest = Guest::start(Arc::clone(&self.shared.engine), memory, initial, None, context.at_end(counted))?;
        let run = Run::start(&self.shared, &context, &guest, code, options, kind)?;
        Ok((guest, run))
    }

    /// Starts a session: a guest that keeps its state from run to run.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if the machine has no capacity for another guest; [`Error::Busy`] if the sandbox is of a pool that
    /// has no place for it.
    pub fn session(&self) -> Result<Session, Error> {
        Session::open(Arc::clone(&self.shared), self.shared.place(None)?)
    }

    /// Like [`Sandbox::session`], for asynchronous callers on any runtime. Only sandboxes of pools wait.
    ///
    /// # Errors
    /// As of [`Sandbox::session`].
    pub async fn session_async(&self) -> Result<Session, Error> {
        Session::open(Arc::clone(&self.shared), self.shared.place_async(None).await?)
    }

    /// Starts a session that continues from a snapshot of another one. It has the rights of this sandbox.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if the snapshot is of another image or isolation than this sandbox has.
    pub fn session_from(&self, snapshot: &Snapshot) -> Result<Session, Error> {
        Session::open_from(Arc::clone(&self.shared), snapshot)
    }

    /// Returns the effective engine and the reason for its selection, the image and the policy.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        Explanation::new(&self.shared)
    }

    /// Returns the same as [`Sandbox::explain`], with what calls of tools and of functions of custom interfaces would
    /// return in a program that starts a run.
    #[must_use]
    pub fn explain_program(&self, code: &str) -> Explanation {
        let mut explanation = self.explain();
        explanation.call_modes =
            call_mode::of_program(&self.shared, code, self.shared.engine.initial_state().is_some());
        explanation
    }

    /// Returns how many guests are ready for the next runs, those of other sandboxes of the same image included
    /// ([`SandboxBuilder::ready_guests`](crate::SandboxBuilder::ready_guests)). With the engine `wasm` it is 0.
    #[must_use]
    pub fn ready_guests(&self) -> usize {
        self.shared.engine.ready(self.shared.policy.limits.memory)
    }

    /// Returns the image that guests are started from.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.shared.image
    }

    /// Returns the secrets of this sandbox, so that the embedder can also remove them from texts that it makes from
    /// results.
    #[must_use]
    pub fn redaction(&self) -> &Redaction {
        &self.shared.oversight.redaction
    }

    /// Returns the tools that programs are granted, for searching.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        self.shared.capabilities.tools.catalog()
    }

    /// Returns the granted custom interfaces, sorted by name.
    pub fn capabilities(&self) -> impl Iterator<Item = &Capability> {
        self.shared.capabilities.interfaces.iter()
    }
}
