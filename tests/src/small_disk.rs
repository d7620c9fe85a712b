//! A small file system, for tests of a full or a read-only disk.

use std::{
    path::Path,
    process::{Command, Stdio},
};

use tempfile::TempDir;

use crate::Skipped;

/// A file system in memory, which is unmounted when this is dropped.
#[derive(Debug)]
pub struct SmallDisk(TempDir);

impl SmallDisk {
    /// Creates one with this many KiB.
    ///
    /// # Errors
    /// This user may not mount file systems.
    pub fn new(kibibytes: u32) -> Result<Self, Skipped> {
        let directory = tempfile::tempdir().expect("a place to mount it");
        let size = format!("size={kibibytes}k,mode=700");
        mount(&["-t", "tmpfs", "-o", &size, "isolette-test"], directory.path())?;
        Ok(Self(directory))
    }

    /// The mount point.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Makes it read-only.
    ///
    /// # Errors
    /// This user may not mount file systems.
    pub fn forbid_writing(&self) -> Result<(), Skipped> {
        mount(&["-o", "remount,ro"], self.path())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily, because a guest's thread may still hold a handle on it.
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}

fn mount(arguments: &[&str], place: &Path) -> Result<(), Skipped> {
    match Command::new("mount").args(arguments).arg(place).stderr(Stdio::piped()).output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(Skipped(format!(
            "a small file system cannot be mounted: {}",
            String::from_utf8_lossy(&output.stderr).trim().replace('\n', " ")
        ))),
        Err(error) => Err(Skipped(format!("there is no `mount`: {error}"))),
    }
}
