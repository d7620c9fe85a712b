//! Where things are.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

/// The checkout and the folder that everything built goes to.
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

    /// Where finished images are, one folder an image.
    pub(crate) fn images(&self) -> PathBuf {
        self.target.join("images")
    }

    /// Where pinned tools, stamps and half-finished work are.
    pub(crate) fn toolchain(&self) -> PathBuf {
        self.target.join("toolchain")
    }

    /// Where the components are that images are composed of. It is there.
    pub(crate) fn components(&self) -> Result<PathBuf> {
        let folder = self.toolchain().join("components");
        fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        Ok(folder)
    }

    /// The target folder of nested builds for micro-VMs, and of what runs these where the machine cannot.
    pub(crate) fn microvm(&self) -> PathBuf {
        self.target.join("microvm")
    }

    /// The target folder of nested builds for WebAssembly: an outer cargo may hold the lock of the main one.
    pub(crate) fn guests(&self) -> PathBuf {
        self.target.join("guests")
    }
}

/// Where nobody is there to commit a new lock file, one that is out of date is a mistake.
pub(crate) fn locked() -> Option<&'static str> {
    env::var_os("CI").map(|_| "--locked")
}

/// The cargo that started this program, or the one that the shell would find.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
