//! Images, from which guests are started.
//!
//! An image is a directory: `image.json`, the portable component, and the same component compiled ahead of time for
//! each engine. Compiled code is machine code, so an image is trusted like a binary, and so is every user who may write
//! to its directory. This module detects damage and mismatches: code is compared with the manifest before it is mapped.

mod checked;
mod load;
mod locate;
pub mod manifest;
mod warm;

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use self::manifest::{FileDigest, Manifest};
pub use self::{
    load::{load_hyperlight, load_process, load_wasmtime},
    warm::EngineState,
};
use isolette_types::{Error, Language, digest};

/// An image whose manifest has been read and has the format of this version.
#[derive(Clone, Debug)]
pub struct Image {
    directory: PathBuf,
    manifest: Manifest,
    language: Language,
}

impl Image {
    /// Opens the image in a directory. Only the manifest is read; the other files are checked when they are used, or by
    /// [`Image::verify`].
    ///
    /// # Errors
    /// [`Error::Image`] if the manifest is missing or malformed, or if the image uses another version of the messages
    /// than this version of the crate.
    pub fn open(directory: impl AsRef<Path>) -> Result<Self, Error> {
        let directory = directory.as_ref().to_owned();
        let path = directory.join(manifest::FILE_NAME);
        let bytes = File::open(&path)
            .and_then(|file| {
                let mut bytes = Vec::new();
                file.take(manifest::SIZE_LIMIT as u64 + 1).read_to_end(&mut bytes).map(|_| bytes)
            })
            .map_err(|error| {
                Self::unusable(&directory, format!("`{}` cannot be read: {error}", manifest::FILE_NAME))
            })?;
        let manifest = Manifest::parse(&bytes).map_err(|error| Self::unusable(&directory, error.to_string()))?;
        if manifest.abi != isolette_abi::VERSION {
            let reason = format!(
                "it speaks version {} of the messages between guest and host, this host speaks version {}",
                manifest.abi,
                isolette_abi::VERSION
            );
            let error = Self::unusable(&directory, reason);
            return Err(if manifest.warm.is_some() { warm::made_anew(error) } else { error });
        }
        let language = Language::ALL
            .into_iter()
            .chain([Language::Component])
            .find(|language| language.name() == manifest.language);
        let language = language.ok_or_else(|| {
            Self::unusable(&directory, format!("its language `{}` is unknown to this host", manifest.language))
        })?;
        Ok(Self { directory, manifest, language })
    }

    /// The directory of the image.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The manifest of the image.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The SHA-256 digest, in hexadecimal digits, of the component in the image. It identifies the image's contents.
    #[must_use]
    pub fn digest(&self) -> &str {
        self.manifest.files.get(&self.manifest.component).map_or("", |file| &file.sha256)
    }

    /// The language of the programs that the image runs.
    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    /// Compares every file with its digest.
    ///
    /// # Errors
    /// [`Error::Image`] with the first file that is missing or differs.
    pub fn verify(&self) -> Result<(), Error> {
        self.manifest.files.iter().try_for_each(|(name, digest)| self.compare(name, digest, digest_file))
    }

    /// Compares a file that is about to be used with its digest, which it returns.
    fn check_file(&self, name: &str) -> Result<String, Error> {
        let listed = self.manifest.files.get(name);
        let digest = listed
            .ok_or_else(|| Self::unusable(&self.directory, format!("its manifest lists no digest for `{name}`")))?;
        tracing::debug_span!("digest").in_scope(|| self.check(name, digest))?;
        Ok(digest.sha256.clone())
    }

    /// Compares one file that is about to be used. A file that has not been written to since the last check is not read
    /// again.
    fn check(&self, name: &str, expected: &FileDigest) -> Result<(), Error> {
        self.compare(name, expected, |path| checked::digest_unless_known(path, expected))
    }

    fn compare(
        &self,
        name: &str,
        expected: &FileDigest,
        digest: impl FnOnce(&Path) -> io::Result<(u64, String)>,
    ) -> Result<(), Error> {
        let (size, sha256) = digest(&self.directory.join(name))
            .map_err(|error| Self::unusable(&self.directory, format!("`{name}` cannot be read: {error}")))?;
        if (size, &sha256) != (expected.size, &expected.sha256) {
            let reason = format!(
                "`{name}` is not the file that the manifest promises: it has {size} bytes and SHA-256 {sha256}, expected are \
                 {} bytes and {}",
                expected.size, expected.sha256
            );
            return Err(Self::unusable(&self.directory, reason));
        }
        Ok(())
    }

    fn unusable(directory: &Path, reason: String) -> Error {
        let hint = "build it again with this version's `cargo xtask image build`, or name another directory";
        Error::Image { path: directory.to_owned(), reason, hint: hint.into() }
    }
}

/// Returns the size in bytes and the SHA-256 (lower-case hex) of a file, which is read in pieces.
///
/// # Errors
/// If the file cannot be read.
pub fn digest_file(path: &Path) -> io::Result<(u64, String)> {
    digest(File::open(path)?)
}
