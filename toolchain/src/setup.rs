//! `cargo xtask setup`: installs the tools that build images, and the packages that tests need. Running it again has no effect.
//!
//! Packages of lock files are installed below the target folder. Besides, it installs the compiler's target and, as root on
//! Debian and derivatives, system packages; for other users it lists them.

use anyhow::Result;

use crate::{
    install, lock, openapi_documents, progress, project::Project, runtime, selection::Selection, third_party, tools,
};

/// Installs everything that is missing.
pub(crate) fn setup(project: &Project) -> Result<()> {
    let _lock = lock::acquire(project)?;
    let mut worked = install::for_images(project, Selection::All)?;
    worked |= openapi_documents::ensure(project)?;
    worked |= third_party::ensure(project)?;
    worked |= install::agents(project)?;
    if runtime::is_for_this_machine() {
        worked |= runtime::library_sources()?;
        worked |= install::programs(&tools::FOR_HARNESS)?;
    }
    if !worked {
        progress::note("everything is installed");
    }
    Ok(())
}
