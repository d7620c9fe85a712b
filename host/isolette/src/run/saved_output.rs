//! The temporary `/output` of a paused run, which its file contains.

use std::sync::PoisonError;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use isolette_policy::OUTPUT;
use isolette_types::Error;
use serde::{Deserialize, Serialize};

use crate::guest_context::GuestContext;

/// The most files and directories that are kept.
const ENTRIES: usize = 1_000;

/// The most bytes of all files.
const BYTES: u64 = 64 << 20;

/// Files and directories below `/output`, each directory before what is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedOutput(Vec<Entry>);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    path: String,
    /// The bytes of a file, as Base64. `None` for a directory.
    file: Option<String>,
}

impl SavedOutput {
    /// Reads the files.
    ///
    /// # Errors
    /// The reason why they cannot be kept.
    pub(super) fn read(guest: &GuestContext) -> Result<Self, String> {
        let mut entries = Vec::new();
        let mut directories = vec![OUTPUT.to_owned()];
        let mut left = BYTES;
        while let Some(directory) = directories.pop() {
            let unreadable = |error: Error| format!("its temporary {OUTPUT} cannot be read: {}", one_line(&error));
            let (listed, more) = guest.files.list_whole(&directory).map_err(unreadable)?;
            if more || entries.len() + listed.len() > ENTRIES {
                return Err(format!("its temporary {OUTPUT} has more than {ENTRIES} files and directories"));
            }
            for entry in listed {
                let file = match entry.directory {
                    true => None,
                    false => {
                        let bytes = guest.files.read_whole(&entry.path, left).map_err(|error| match error {
                            Error::LimitExceeded { .. } => {
                                format!("the files in its temporary {OUTPUT} have more than {BYTES} bytes together")
                            }
                            other => unreadable(other),
                        })?;
                        left -= bytes.len() as u64;
                        Some(STANDARD.encode(bytes))
                    }
                };
                if file.is_none() {
                    directories.push(entry.path.clone());
                }
                entries.push(Entry { path: entry.path, file });
            }
        }
        Ok(Self(entries))
    }

    /// Writes the files to the `/output` of another guest, whose limits apply.
    pub(super) fn write(&self, guest: &GuestContext) -> Result<(), Error> {
        let mut quota = guest.quota.lock().unwrap_or_else(PoisonError::into_inner);
        for Entry { path, file } in &self.0 {
            match file {
                None => guest.files.create_directory(path, &mut quota)?,
                Some(text) => {
                    let bytes = STANDARD.decode(text).map_err(|error| {
                        Error::invalid(
                            format!("the paused program cannot be loaded: its file `{}`: {error}", path.escape_debug()),
                            "save it again with this version of isolette",
                        )
                    })?;
                    guest.files.write_whole(path, &bytes, &mut quota)?;
                }
            }
        }
        Ok(())
    }
}

fn one_line(error: &Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
