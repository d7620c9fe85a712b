//! The digest of a step's inputs. The same inputs give the same digest on any machine and in any checkout.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use sha2::{Digest as _, Sha256};

/// Directories with outputs, which are never inputs.
const LEFT_OUT: [&str; 3] = ["target", "node_modules", "__pycache__"];

/// A digest that inputs are added to.
#[derive(Clone, Default)]
pub(crate) struct Fingerprint(Sha256);

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a value under a name.
    pub(crate) fn text(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        // Lengths keep ("ab", "c") apart from ("a", "bc").
        for part in [name.as_bytes(), value.as_ref()] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
        self
    }

    /// Adds the content of a file under its name relative to `root`.
    pub(crate) fn file(self, root: &Path, path: impl AsRef<Path>) -> Result<Self> {
        let full = root.join(&path);
        let bytes = fs::read(&full).with_context(|| format!("cannot read {}", full.display()))?;
        Ok(self.text(&path.as_ref().to_string_lossy(), bytes))
    }

    /// Adds the content of a file that an earlier step wrote, without its directory.
    pub(crate) fn made(self, path: &Path) -> Result<Self> {
        match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => self.file(folder, name),
            _ => bail!("{} is not a file", path.display()),
        }
    }

    /// Adds a file, or every file below a directory except hidden files and outputs.
    pub(crate) fn tree(mut self, root: &Path, path: impl AsRef<Path>) -> Result<Self> {
        for file in files_below(root, path.as_ref())? {
            self = self.file(root, file)?;
        }
        Ok(self)
    }

    /// The digest in hex.
    pub(crate) fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.clone().finish())
    }
}

/// Files below `path`, relative to `root`, in an order that is the same everywhere.
fn files_below(root: &Path, path: &Path) -> Result<Vec<PathBuf>> {
    let full = root.join(path);
    if !full.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries = fs::read_dir(&full)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.file_name())).collect::<Result<Vec<_>, _>>())
        .with_context(|| format!("cannot list {}", full.display()))?;
    entries.retain(|name| {
        let name = name.to_string_lossy();
        !name.starts_with('.') && !LEFT_OUT.contains(&name.as_ref())
    });
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        files.extend(files_below(root, &path.join(entry))?);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(root: &Path) -> String {
        Fingerprint::new().tree(root, "source").unwrap().finish()
    }

    #[test]
    fn a_fingerprint_changes_with_content_and_names_only() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir_all(root.join("source/inner")).unwrap();
        fs::write(root.join("source/a"), "one").unwrap();
        fs::write(root.join("source/inner/b"), "two").unwrap();
        let first = digest(root);
        assert_eq!(first, digest(root));

        for ignored in ["source/target/x", "source/inner/__pycache__/y", "source/.hidden"] {
            fs::create_dir_all(root.join(ignored).parent().unwrap()).unwrap();
            fs::write(root.join(ignored), "three").unwrap();
        }
        assert_eq!(first, digest(root));

        fs::write(root.join("source/inner/b"), "TWO").unwrap();
        let second = digest(root);
        assert_ne!(first, second);
        fs::rename(root.join("source/inner/b"), root.join("source/inner/c")).unwrap();
        assert_ne!(second, digest(root));
    }

    #[test]
    fn a_fingerprint_is_the_same_in_another_checkout() {
        let digests = [(); 2].map(|()| {
            let directory = tempfile::tempdir().unwrap();
            fs::create_dir(directory.path().join("source")).unwrap();
            fs::write(directory.path().join("source/a"), "one").unwrap();
            digest(directory.path())
        });
        assert_eq!(digests[0], digests[1]);
    }

    #[test]
    fn values_do_not_run_into_each_other() {
        let digest = |name: &str, value: &str| Fingerprint::new().text(name, value).finish();
        assert_ne!(digest("ab", "c"), digest("a", "bc"));
    }

    #[test]
    fn a_missing_input_is_named() {
        let error = Fingerprint::new().tree(Path::new("/nowhere"), "gone").unwrap_err();
        assert!(format!("{error:#}").contains("/nowhere/gone"), "{error:#}");
    }
}
