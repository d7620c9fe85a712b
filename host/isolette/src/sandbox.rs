//! The sandbox: what every run of it has in common.

use std::sync::Arc;

use isolette_capabilities::Capability;
use isolette_engine::{Guest, Image};
use isolette_policy::Redaction;
use isolette_tools::catalog::Catalog;
use isolette_types::{Error, ExecutionResult, Language};
use serde_json::Value;

use crate::{
    approve, explain::Explanation, metrics::Metrics, options::RunOptions, run::Run, session::Session, shared::Shared,
};

/// Runs untrusted programs.
///
/// Every run starts clean, in a fresh instance of the image: no names, modules or `/tmp` files of an earlier run are
/// there. It can be shared between threads, which then run in parallel, and used from asynchronous code
/// ([`Sandbox::run_async`]) or blocking code ([`Sandbox::run`]) alike. With the engine `wasm`, 512 guests can
/// live at the same time in one process, those of sessions included; one more is [`Error::Unavailable`].
#[derive(Clone, Debug)]
pub struct Sandbox {
    pub(crate) shared: Arc<Shared>,
}

impl Sandbox {
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
        let context = self.shared.guest_context()?;
        let counted = self.shared.oversight.metrics.as_ref().map(Metrics::guest);
        let memory = self.shared.policy.limits.memory;
        let guest = Guest::start(Arc::clone(&self.shared.engine), memory, context.at_end(counted))?;
        Run::start(&self.shared, &context, &guest, code, options, None)
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

    /// The image that its guests are started from.
    #[must_use]
    pub fn image(&self) -> &Image {
        &self.shared.image
    }

    /// Every secret that it holds for programs, so that what is made of their results can be looked through too.
    #[must_use]
    pub fn redaction(&self) -> &Redaction {
        &self.shared.oversight.redaction
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
}
