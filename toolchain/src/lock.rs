//! Locks that one process at a time can hold. Others wait, and may then find everything up to date.

use std::{
    fs::{self, File, TryLockError},
    path::Path,
};

use anyhow::{Context as _, Result};

use crate::{progress, project::Project};

/// A lock that is held until it is dropped or the process ends.
#[derive(Debug)]
pub(crate) struct Lock(#[expect(dead_code, reason = "the lock lasts as long as the file is open")] File);

/// Waits until this process is the only one that builds.
pub(crate) fn acquire(project: &Project) -> Result<Lock> {
    hold(&project.toolchain(), "builds images")
}

/// Waits until this process is the only one that runs emulated machines, because their results share a directory.
pub(crate) fn emulate(project: &Project) -> Result<Lock> {
    hold(&project.microvm(), "emulates machines")
}

fn hold(folder: &Path, what: &str) -> Result<Lock> {
    let path = folder.join("lock");
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let file = File::create(&path).with_context(|| format!("cannot create {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            progress::note(&format!("waiting for another process that {what}"));
            file.lock().with_context(|| format!("cannot lock {}", path.display()))?;
        }
        Err(TryLockError::Error(error)) => {
            return Err(error).with_context(|| format!("cannot lock {}", path.display()));
        }
    }
    Ok(Lock(file))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[test]
    fn only_one_holds_it() {
        let directory = tempfile::tempdir().unwrap();
        let project = Project::at(directory.path(), directory.path());
        let inside = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let lock = acquire(&project).unwrap();
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }
}
