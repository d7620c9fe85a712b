//! `image.json`: the manifest of an image, with its components and the digest of each of its files.
//!
//! The tool that assembles images writes it, and the host reads it before it maps any code, so both use this type. It
//! must never contain anything that differs between two builds of the same inputs, such as times or paths.

use std::collections::BTreeMap;

use isolette_interface::InterfaceName;
use serde::{Deserialize, Serialize};

/// The name of the manifest inside an image's directory.
pub const FILE_NAME: &str = "image.json";

/// The format version of the manifest that this version writes and reads.
pub const FORMAT: u32 = 1;

/// Maximum size of a manifest in bytes. A manifest has a few kilobytes; a longer one is rejected before parsing.
pub const SIZE_LIMIT: usize = 256 * 1024;

/// The contents of `image.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// [`FORMAT`] of the version that wrote it.
    pub format: u32,
    /// The name of the image. Two images of one language have different names.
    pub name: String,
    /// The language of the programs that the image runs: `python`, `javascript`, or `component` for an embedder's
    /// component.
    pub language: String,
    /// `isolette_abi::VERSION` of the messages that the image uses.
    pub abi: u16,
    /// SHA-256 (lower-case hex) over the WIT files that it was built from.
    pub wit: String,
    /// The components that it was built with: version by name (`cpython`, `guest-adapter`, `componentize-py`).
    pub components: BTreeMap<String, String>,
    /// Libraries of its language that programs may import: version by name.
    #[serde(default)]
    pub packages: BTreeMap<String, String>,
    /// Interfaces that the image imports and the host has to provide, in these versions or later compatible ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<InterfaceName>,
    /// The file name of the portable component, from which the compiled code can be rebuilt.
    pub component: String,
    /// Machine code by engine (`wasmtime`, `microvm`, `process`).
    pub compiled: BTreeMap<String, Compiled>,
    /// The states in which guests start, if the image was made by running a set-up program in another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm: Option<Warm>,
    /// Every file of the image except the manifest, by its name in the image's directory.
    pub files: BTreeMap<String, FileDigest>,
}

/// Code that was compiled ahead of time for one engine. It loads only into the exact version that compiled it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compiled {
    /// The file name, which is a key of [`Manifest::files`].
    pub file: String,
    /// The version of the engine that compiled it.
    pub version: String,
    /// The target triple that it was compiled for.
    pub target: String,
    /// The file that runs the code, which is a key of [`Manifest::files`], for an engine outside of the host's process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
}

/// The states of guests after a set-up program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warm {
    /// SHA-256 (lower-case hex) of the set-up program.
    pub set_up: String,
    /// The state by engine (`microvm`, `process`). Guests start in these engines only.
    pub states: BTreeMap<String, WarmState>,
}

/// The state of a guest in one engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarmState {
    /// The file with the state, which is a key of [`Manifest::files`].
    pub file: String,
    /// The data of the host for the state, such as the progress of its clocks.
    pub host: serde_json::Value,
}

/// The exact contents that a file must have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileDigest {
    /// SHA-256 in lower-case hex.
    pub sha256: String,
    /// Length in bytes.
    pub size: u64,
}

/// The reason why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// The manifest is longer than [`SIZE_LIMIT`].
    #[error("the manifest has {size} bytes; at most {SIZE_LIMIT} are read")]
    TooLarge {
        /// The length in bytes.
        size: usize,
    },
    /// The manifest was written in a format of another version of Isolette.
    #[error("the manifest has format {found}, this version of Isolette reads format {FORMAT}")]
    Format {
        /// The format that it declares.
        found: u32,
    },
    /// The manifest is not JSON, or does not have the expected structure.
    #[error("the manifest is malformed: {0}")]
    Malformed(#[from] serde_json::Error),
    /// The manifest names a file that is not one of the image's own.
    #[error("the manifest names the file `{0}`, which is not a plain file name that it lists under `files`")]
    UnexpectedFile(String),
}

impl Manifest {
    /// Parses a manifest. Only the structure is checked; comparing the files with their digests is up to the caller.
    ///
    /// # Errors
    /// See [`ManifestError`]. Another format is reported as [`ManifestError::Format`], whatever else the manifest
    /// contains.
    pub fn parse(bytes: &[u8]) -> Result<Self, ManifestError> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
        }
        if bytes.len() > SIZE_LIMIT {
            return Err(ManifestError::TooLarge { size: bytes.len() });
        }
        let head: Head = serde_json::from_slice(bytes)?;
        if head.format != FORMAT {
            return Err(ManifestError::Format { found: head.format });
        }
        let manifest: Self = serde_json::from_slice(bytes)?;
        manifest.check_names()?;
        Ok(manifest)
    }

    /// Serializes the manifest as it is stored. Equal manifests have equal bytes.
    ///
    /// # Errors
    /// The errors of [`Manifest::parse`]: a manifest that could not be read again is not written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ManifestError> {
        self.check_names()?;
        let mut bytes = serde_json::to_vec_pretty(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// A name is joined to the image's directory, so it must not lead out of it.
    fn check_names(&self) -> Result<(), ManifestError> {
        let compiled = self.compiled.values().flat_map(|compiled| [Some(&compiled.file), compiled.runtime.as_ref()]);
        let states = self.warm.iter().flat_map(|warm| warm.states.values().map(|state| &state.file));
        let used = std::iter::once(&self.component).chain(compiled.flatten()).chain(states);
        for name in used.clone().chain(self.files.keys()) {
            let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0']);
            if !plain || name == FILE_NAME {
                return Err(ManifestError::UnexpectedFile(name.clone()));
            }
        }
        match used.into_iter().find(|name| !self.files.contains_key(*name)) {
            Some(name) => Err(ManifestError::UnexpectedFile(name.clone())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Manifest {
        let digest = FileDigest { sha256: "00".repeat(32), size: 7 };
        let compiled = Compiled {
            file: "guest.wasmtime.cwasm".into(),
            version: "48.0.8".into(),
            target: "x86_64-unknown-linux-gnu".into(),
            runtime: None,
        };
        Manifest {
            format: FORMAT,
            name: "python".into(),
            language: "python".into(),
            abi: 1,
            wit: "11".repeat(32),
            components: BTreeMap::from([("cpython".into(), "3.14.0".into())]),
            packages: BTreeMap::new(),
            capabilities: Vec::new(),
            component: "guest.wasm".into(),
            compiled: BTreeMap::from([("wasmtime".into(), compiled)]),
            warm: None,
            files: BTreeMap::from([("guest.wasm".into(), digest.clone()), ("guest.wasmtime.cwasm".into(), digest)]),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let bytes = sample().to_bytes().unwrap();
        assert_eq!(Manifest::parse(&bytes).unwrap(), sample());
        assert_eq!(Manifest::parse(&bytes).unwrap().to_bytes().unwrap(), bytes);
    }

    #[test]
    fn another_format_is_named_before_anything_else_is_looked_at() {
        let error = Manifest::parse(br#"{"format": 9, "unheard": "of"}"#).unwrap_err();
        assert!(matches!(error, ManifestError::Format { found: 9 }), "{error}");
    }

    #[test]
    fn unknown_fields_are_refused() {
        let mut value = serde_json::to_value(sample()).unwrap();
        value["surprise"] = true.into();
        let error = Manifest::parse(value.to_string().as_bytes()).unwrap_err();
        assert!(error.to_string().contains("surprise"), "{error}");
    }

    #[test]
    fn no_name_leads_out_of_the_image() {
        for name in ["../guest.wasm", "/etc/passwd", "", ".", "a/b", "a\\b", "image.json"] {
            let mut manifest = sample();
            manifest.files.insert(name.into(), FileDigest { sha256: String::new(), size: 0 });
            assert!(manifest.to_bytes().is_err(), "{name}");
            let bytes = serde_json::to_vec(&manifest).unwrap();
            assert!(matches!(Manifest::parse(&bytes), Err(ManifestError::UnexpectedFile(_))), "{name}");
        }
    }

    #[test]
    fn code_that_is_not_among_the_files_is_refused() {
        let mut manifest = sample();
        manifest.files.remove("guest.wasmtime.cwasm");
        assert!(matches!(manifest.to_bytes(), Err(ManifestError::UnexpectedFile(_))));
    }

    #[test]
    fn a_state_is_a_file_of_the_image() {
        let mut manifest = sample();
        let state = WarmState { file: "process.state".into(), host: serde_json::json!({ "seeds": 1 }) };
        let states = BTreeMap::from([("process".into(), state)]);
        manifest.warm = Some(Warm { set_up: "22".repeat(32), states });
        assert!(matches!(manifest.to_bytes(), Err(ManifestError::UnexpectedFile(_))));
        manifest.files.insert("process.state".into(), FileDigest { sha256: "00".repeat(32), size: 7 });
        assert_eq!(Manifest::parse(&manifest.to_bytes().unwrap()).unwrap(), manifest);
    }

    #[test]
    fn a_manifest_without_end_is_not_parsed() {
        assert!(matches!(Manifest::parse(&vec![b' '; SIZE_LIMIT + 1]), Err(ManifestError::TooLarge { .. })));
    }
}
