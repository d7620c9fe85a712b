//! `cargo xtask setup`: gets what images are built with, and what tests are done with. Running it again does nothing.
//!
//! Below the target folder it installs what the lock files pin. Outside of it, it adds the compiler's target and, as root
//! on Debian and its relatives, packages of the system; anybody else is told what to install.

use anyhow::Result;

use crate::{
    foreign, install, lock, openapi_documents, progress, project::Project, runtime, selection::Selection, tools,
};

/// Installs everything, and says so if nothing was missing.
pub(crate) fn setup(project: &Project) -> Result<()> {
    let _lock = lock::acquire(project)?;
    let mut worked = install::for_images(project, Selection::All)?;
    worked |= openapi_documents::ensure(project)?;
    worked |= foreign::ensure(project)?;
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
