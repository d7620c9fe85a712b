//! Paths of the checkout and of the target folder.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

/// The checkout, and the folder of all outputs.
#[derive(Debug)]
pub(crate) struct Project {
    root: PathBuf,
    target: PathBuf,
}

impl Project {
    /// The project that this program belongs to, with the target folder that cargo would use.
    pub(crate) fn find() -> Result<Self> {
        #[derive(Deserialize)]
        struct Metadata {
            workspace_root: PathBuf,
            target_directory: PathBuf,
        }
        let manifest =
            env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
        let output = cargo()
            .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
            .current_dir(&manifest)
            .output()
            .context("cannot start cargo\nhint: install Rust from https://rustup.rs")?;
        ensure!(output.status.success(), "cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Metadata = serde_json::from_slice(&output.stdout).context("cannot read cargo's metadata")?;
        Ok(Self { root: metadata.workspace_root, target: metadata.target_directory })
    }

    #[cfg(test)]
    pub(crate) fn at(root: &Path, target: &Path) -> Self {
        Self { root: root.to_owned(), target: target.to_owned() }
    }

    /// The checkout.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path inside the checkout.
    pub(crate) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// Cargo's target folder.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// The directory of finished images, one subdirectory for each.
    pub(crate) fn images(&self) -> PathBuf {
        self.target.join("images")
    }

    /// The directory of pinned tools, records and intermediate files.
    pub(crate) fn toolchain(&self) -> PathBuf {
        self.target.join("toolchain")
    }

    /// The directory of the components that images are composed of. Creates it.
    pub(crate) fn components(&self) -> Result<PathBuf> {
        let folder = self.toolchain().join("components");
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(folder)
    }

    /// The target folder of nested builds for micro-VMs and for emulated machines.
    pub(crate) fn microvm(&self) -> PathBuf {
        self.target.join("microvm")
    }

    /// The target folder of nested builds for WebAssembly: an outer cargo may hold the lock of the main one.
    pub(crate) fn guests(&self) -> PathBuf {
        self.target.join("guests")
    }
}

/// In CI, a lock file that is out of date is an error, because a new one would not be committed.
pub(crate) fn locked() -> Option<&'static str> {
    env::var_os("CI").map(|_| "--locked")
}

/// The cargo that started this program, or the one that the shell would find.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
