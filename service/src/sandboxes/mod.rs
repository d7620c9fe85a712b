//! Sandboxes, their contexts and their files.

mod adopt;
mod context;
mod entries;
pub(crate) mod environment;
mod figures;
mod files;
mod holding;
mod loaded;
mod publish;
mod registry;
mod room;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use isolette::Language;

pub(crate) use self::{
    adopt::{Place, context_row, fetch},
    context::{Context, Guard},
    entries::Entry,
    files::{FileKind, Folder, LIST, ListedFile},
    loaded::{Loaded, SMALLEST_STATE},
    registry::Sandboxes,
    room::{Space, visited},
};
use crate::{
    WORKSPACE,
    clock::{self, Moment},
    failure::Failure,
    grants::Key,
    resources::Resources,
    spec::SandboxSpec,
    store::rows::{ContextRow, SandboxRow},
};

/// The context of programs that name none.
pub(crate) const DEFAULT_CONTEXT: &str = "default";

/// A sandbox: a policy, contexts that keep their state, and files.
pub(crate) struct LiveSandbox {
    pub(crate) id: String,
    pub(crate) owner: Arc<str>,
    pub(crate) name: Option<String>,
    /// Grants access to its programs and files without a token of its owner.
    pub(crate) access: String,
    pub(crate) spec: SandboxSpec,
    pub(crate) metadata: BTreeMap<String, String>,
    /// Whether contexts are saved after each program.
    pub(crate) is_checkpointed: bool,
    pub(crate) created: Moment,
    /// The sandbox or the snapshot that it continues from.
    pub(crate) origin: Option<String>,
    /// The folder with its files.
    folder: Mutex<PathBuf>,
    times: Mutex<Times>,
    /// Whether its owner has paused it, and nothing has used it since.
    is_paused: AtomicBool,
    contexts: Mutex<BTreeMap<String, Arc<Context>>>,
    /// The figures that its programs have shown.
    pub(crate) figures: figures::Figures,
    /// The claim of this replica on it, and its state in the shared store.
    pub(crate) holding: holding::Holding,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) expires: Moment,
    pub(crate) idle: Duration,
    last_used: Instant,
}

impl LiveSandbox {
    pub(crate) fn new(row: SandboxRow, contexts: Vec<ContextRow>, root: &Path) -> Result<Self, Failure> {
        let damaged = |error: serde_json::Error| {
            Failure::invalid(
                format!("the sandbox {} cannot be read: {error}", row.id),
                "delete it, and create it again",
            )
        };
        let spec = serde_json::from_str(&row.spec).map_err(damaged)?;
        let metadata = serde_json::from_str(&row.metadata).map_err(damaged)?;
        let idle = Duration::from_millis(u64::try_from(row.idle).unwrap_or(u64::MAX));
        let contexts = contexts
            .into_iter()
            .map(|row| Ok((row.name.clone(), Arc::new(Context::stored(row)?))))
            .collect::<Result<_, Failure>>()?;
        Ok(Self {
            id: row.id,
            owner: row.owner.as_str().into(),
            name: row.name,
            access: row.access,
            spec,
            metadata,
            is_checkpointed: row.is_checkpointed,
            created: row.created,
            origin: row.origin,
            folder: Mutex::new(root.join(row.folder)),
            times: Mutex::new(Times { expires: row.expires, idle, last_used: Instant::now() }),
            is_paused: AtomicBool::new(false),
            contexts: Mutex::new(contexts),
            figures: figures::Figures::default(),
            holding: holding::Holding::default(),
        })
    }

    /// The key of the sandbox of the library that its programs run in.
    pub(crate) fn key(&self, language: Language) -> Key {
        Key::new(&self.spec, language, Some(self.folder()))
    }

    /// Its files.
    pub(crate) fn files(&self) -> Folder {
        Folder::of(self.folder())
    }

    /// Sets another folder for its files. Returns the former folder.
    pub(crate) fn move_to(&self, folder: PathBuf) -> Folder {
        let before = std::mem::replace(&mut *self.folder.lock().unwrap_or_else(PoisonError::into_inner), folder);
        Folder::of(before)
    }

    fn folder(&self) -> PathBuf {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn times(&self) -> Times {
        *self.lock_times()
    }

    pub(crate) fn set_times(&self, expires: Moment, idle: Duration) {
        let mut times = self.lock_times();
        (times.expires, times.idle) = (expires, idle);
    }

    /// Resets its idle time.
    pub(crate) fn touch(&self) {
        self.lock_times().last_used = Instant::now();
    }

    pub(crate) fn has_expired(&self) -> bool {
        self.times().expires <= clock::now()
    }

    pub(crate) fn is_idle(&self) -> bool {
        let times = self.times();
        times.last_used.elapsed() >= times.idle
    }

    pub(crate) fn last_used(&self) -> Instant {
        self.times().last_used
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.is_paused.load(Ordering::Relaxed)
    }

    pub(crate) fn set_paused(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::Relaxed);
    }

    /// Whether a guest of it runs.
    pub(crate) fn is_running(&self) -> bool {
        self.contexts().values().any(|context| context.is_live())
    }

    pub(crate) fn context(&self, name: &str) -> Option<Arc<Context>> {
        self.contexts().get(name).cloned()
    }

    /// All contexts, in the order of their names.
    pub(crate) fn all_contexts(&self) -> Vec<Arc<Context>> {
        self.contexts().values().cloned().collect()
    }

    /// The context of this name, which is made if it does not exist. The second value says whether it was made.
    pub(crate) fn context_or_new(
        &self,
        name: &str,
        language: Language,
        resources: &Resources,
    ) -> Result<(Arc<Context>, bool), Failure> {
        self.context_or_new_in(WORKSPACE, name, language, resources)
    }

    /// The same. A new one begins in this directory.
    pub(crate) fn context_or_new_in(
        &self,
        cwd: &str,
        name: &str,
        language: Language,
        resources: &Resources,
    ) -> Result<(Arc<Context>, bool), Failure> {
        resources.grants.check_language(language)?;
        let mut contexts = self.contexts();
        if let Some(context) = contexts.get(name) {
            if context.language.image() != language.image() {
                return Err(Failure::conflict(
                    format!("the context `{name}` is for {}, and the program is in {language}", context.language),
                    "name another context: one is made if it does not exist",
                ));
            }
            return Ok((Arc::clone(context), false));
        }
        if !crate::id::is_name(name) {
            return Err(Failure::invalid(
                format!(
                    "`{}` cannot be the name of a context",
                    name.chars().take(80).collect::<String>().escape_debug()
                ),
                "use up to 64 letters, digits, `-`, `_` and `.`",
            ));
        }
        if contexts.len() >= resources.limits.contexts {
            return Err(Failure::conflict(
                format!("the sandbox has {} contexts, as many as it can have", contexts.len()),
                "delete one, or use another sandbox",
            ));
        }
        let context = Arc::new(Context::new(name, language, cwd));
        contexts.insert(name.to_owned(), Arc::clone(&context));
        Ok((context, true))
    }

    pub(crate) fn remove_context(&self, name: &str) -> Option<Arc<Context>> {
        self.contexts().remove(name)
    }

    /// Replaces its contexts with these.
    pub(crate) fn replace_contexts(&self, contexts: Vec<Context>) {
        *self.contexts() = contexts.into_iter().map(|context| (context.name.clone(), Arc::new(context))).collect();
    }

    fn contexts(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Context>>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_times(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for LiveSandbox {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("LiveSandbox").field("id", &self.id).finish_non_exhaustive()
    }
}
