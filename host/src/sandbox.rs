//! The sandbox: what every run of it has in common.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, TryLockError},
};

use serde_json::Value;

use crate::{
    Budget, Capability, Error, Language, Metrics, Redaction, approve,
    audit::{Audit, RecordedArguments},
    builder::SandboxBuilder,
    capability::{
        Capabilities,
        custom::ResourceTable,
        files::{Files, Locks, Quota, output::OUTPUT},
        system::{Determinism, System},
    },
    catalog::Catalog,
    engine::Engine,
    explain::Explanation,
    guest::Guest,
    image::Image,
    isolation::Choice,
    options::RunOptions,
    outcome::{ExecutionResult, OutputDirectory, OutputFile},
    policy::{Access, Approver, CallCheck, HttpBody, Mount, Policy},
    recording::Recording,
    run::Run,
    session::Session,
};

/// Runs programs that nobody trusts.
///
/// Every run starts clean, in a fresh instance of the image: no names, modules or `/tmp` files of an earlier run are
/// there. It can be shared between threads, which then run in parallel, and used from asynchronous code
/// ([`Sandbox::run_async`]) or blocking code ([`Sandbox::run`]) alike. With the engine `wasm`, 512 guests can
/// live at the same time in one process, those of sessions included; one more is [`Error::Unavailable`].
#[derive(Clone, Debug)]
pub struct Sandbox {
    pub(crate) shared: Arc<Shared>,
}

/// What runs and sessions of a sandbox share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) language: Language,
    pub(crate) image: Image,
    pub(crate) engine: Arc<dyn Engine>,
    pub(crate) choice: Choice,
    pub(crate) policy: Policy,
    pub(crate) capabilities: Arc<Capabilities>,
    pub(crate) files: Arc<Files>,
    pub(crate) temporary_output: bool,
    pub(crate) variables: Vec<(String, Value)>,
    pub(crate) http_body: HttpBody,
    pub(crate) on_call: Option<CallCheck>,
    pub(crate) approver: Option<Approver>,
    pub(crate) budgets: Vec<Budget>,
    pub(crate) determinism: Option<Determinism>,
    pub(crate) recording: Option<Recording>,
    pub(crate) audit: Option<Audit>,
    pub(crate) metrics: Option<Metrics>,
    pub(crate) recorded_arguments: RecordedArguments,
    pub(crate) redaction: Arc<Redaction>,
    pub(crate) latest: Mutex<Option<Surroundings>>,
}

/// What belongs to one guest alone.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub(crate) files: Arc<Files>,
    pub(crate) output: OutputDirectory,
    pub(crate) resources: ResourceTable,
    pub(crate) quota: Arc<Mutex<Quota>>,
    pub(crate) locks: Locks,
    pub(crate) system: Arc<System>,
}

impl Surroundings {
    /// Gives back what a guest has locked that does not come back from a call, but not in the midst of a call for files: what
    /// that writes may need the lock until the end.
    pub(crate) fn abandon_locks(&self) {
        if !matches!(self.quota.try_lock(), Err(TryLockError::WouldBlock)) {
            self.locks.end();
        }
    }
}

impl Sandbox {
    /// Begins a sandbox; its documentation lists every default.
    pub fn builder() -> SandboxBuilder {
        SandboxBuilder::default()
    }

    /// Runs a program in a fresh instance and waits for its end.
    ///
    /// An exception in the program is no error: it is in the result.
    ///
    /// # Errors
    /// When the program had to be ended ([`Error::Timeout`], [`Error::Cancelled`], [`Error::OutOfMemory`],
    /// [`Error::StackOverflow`], [`Error::GuestCrashed`]; all of them carry what it had done by then), when it is too
    /// long ([`Error::LimitExceeded`]), not approved ([`Error::NotApproved`]) or without a budget
    /// ([`Error::BudgetSpent`]), when it cannot be put on record ([`Error::Audit`]), or when the machine has no room for it.
    pub fn run(&self, code: &str) -> Result<ExecutionResult, Error> {
        self.run_with(code, RunOptions::default())
    }

    /// Runs a program with options.
    ///
    /// # Errors
    /// As [`Sandbox::run`], and [`Error::InvalidArgument`] for the name of a variable.
    pub fn run_with(&self, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        approve::blocking(&self.shared, code, &options)?;
        self.start(code, options)?.wait()
    }

    /// Like [`Sandbox::run_with`], for asynchronous callers on any runtime. Dropping the future cancels the run.
    ///
    /// # Errors
    /// As [`Sandbox::run_with`].
    pub async fn run_async(&self, code: &str, options: RunOptions) -> Result<ExecutionResult, Error> {
        if let Some(question) = approve::question(&self.shared, code, &options)? {
            question.await?;
        }
        self.start(code, options)?.wait_async().await
    }

    /// Calls a function that the component in the image exports: `docs:text/analysis#words`, with or without a version.
    /// `arguments` are an array in the order of the parameters, or an object by their names.
    ///
    /// Values are written as JSON: records are objects with the names of the WIT, a variant is the name of its case or
    /// `{"case": value}`, flags are the names of those that are set, `none` is null, a result is `{"ok": value}` or
    /// `{"error": value}`. A function that is not there and arguments that do not fit are an error in the result.
    ///
    /// # Errors
    /// As [`Sandbox::run`], and [`Error::InvalidArgument`] if the image has an interpreter in place of such a component.
    pub fn call(&self, function: &str, arguments: Value) -> Result<ExecutionResult, Error> {
        self.call_with(function, arguments, RunOptions::default())
    }

    /// Calls a function that the component in the image exports, with options.
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

    fn start(&self, code: &str, options: RunOptions) -> Result<Run, Error> {
        let surroundings = self.shared.surroundings()?;
        let guest = Guest::start(
            Arc::clone(&self.shared.engine),
            self.shared.policy.limits.memory,
            self.shared.metrics.as_ref(),
            surroundings.locks.clone(),
        )?;
        Run::start(&self.shared, &surroundings, &guest, code, options, None)
    }

    /// Starts a guest that lives on from run to run.
    ///
    /// # Errors
    /// When the machine has no room for it.
    pub fn session(&self) -> Result<Session, Error> {
        Session::start(Arc::clone(&self.shared))
    }

    /// What is in effect: the engine and why it was chosen, the image, the policy.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        Explanation::new(&self.shared)
    }

    /// Every secret that it holds for programs, so that what is made of their results can be looked through too.
    #[must_use]
    pub fn redaction(&self) -> &Redaction {
        &self.shared.redaction
    }

    /// The tools that it lends, to search in.
    #[must_use]
    pub fn catalog(&self) -> &Catalog {
        self.shared.capabilities.tools.catalog()
    }

    /// The interfaces of the embedder's own that it lends, sorted by name.
    pub fn capabilities(&self) -> impl Iterator<Item = &Capability> {
        self.shared.capabilities.interfaces.iter()
    }

    /// Where the latest run's `/output` is on the host.
    #[must_use]
    pub fn output_path(&self) -> Option<PathBuf> {
        let latest = self.shared.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.as_ref().and_then(|latest| latest.output.path().map(ToOwned::to_owned))
    }

    /// All that is in `/output` of the latest run now: what earlier runs left there and what the host put there too. Sorted
    /// by path, at most 1,000 files; links are neither followed nor listed. [`ExecutionResult::files`] are those of one run.
    #[must_use]
    pub fn get_output_files(&self) -> Vec<OutputFile> {
        let latest = self.shared.latest.lock().unwrap_or_else(PoisonError::into_inner).clone();
        latest.map_or_else(Vec::new, |latest| latest.files.output().0)
    }
}

impl Shared {
    /// For a new guest: its own temporary output, if it shall have one.
    pub(crate) fn surroundings(&self) -> Result<Surroundings, Error> {
        let quota = Arc::new(Mutex::new(Quota::new(Arc::new(self.policy.limits.clone()))));
        let resources = ResourceTable::new(self.policy.limits.resources);
        let system = Arc::new(System::new(self.determinism));
        let locks = Locks::default();
        if !self.temporary_output {
            let kept = self.policy.mounts.iter().find(|mount| mount.guest == OUTPUT);
            let output = kept.map_or(OutputDirectory::None, |mount| OutputDirectory::Mounted(mount.clone()));
            return Ok(Surroundings { files: Arc::clone(&self.files), output, quota, locks, resources, system });
        }
        let directory = tempfile::Builder::new()
            .prefix("isolette-output-")
            .tempdir()
            .map_err(|error| Error::io("cannot create a directory for temporary output", error))?;
        let mut mounts = self.policy.mounts.clone();
        mounts.push(Mount::new(directory.path(), OUTPUT, Access::ReadWrite)?);
        let files = Arc::new(Files::new(&mounts)?);
        let output = OutputDirectory::Temporary(Arc::new(directory));
        Ok(Surroundings { files, output, quota, locks, resources, system })
    }

    pub(crate) fn remember(&self, surroundings: &Surroundings) {
        // What the guest held shall not outlive it.
        let latest = Surroundings { resources: ResourceTable::new(0), locks: Locks::default(), ..surroundings.clone() };
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(latest);
    }
}
