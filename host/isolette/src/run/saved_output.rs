//! The files that a paused run has written: which, how many bytes, and those of a temporary `/output`, which its file contains.

use std::sync::PoisonError;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use isolette_files::SavedQuota;
use isolette_policy::OUTPUT;
use isolette_types::Error;
use serde::{Deserialize, Serialize};

use crate::guest_context::GuestContext;

/// The most files and directories that are kept.
const ENTRIES: usize = 1_000;

/// The most bytes of all files. They are in memory several times while they are saved.
const BYTES: u64 = 16 << 20;

/// What a run has written.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedOutput {
    written: SavedQuota,
    /// Files and directories below a temporary `/output`, each directory before what is in it.
    temporary: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    path: String,
    /// The bytes of a file, as Base64. `None` for a directory.
    file: Option<String>,
}

impl SavedOutput {
    /// Collects what a guest has written, and the files if `/output` is temporary.
    ///
    /// # Errors
    /// The reason why they cannot be kept.
    pub(super) fn read(guest: &GuestContext, is_temporary: bool) -> Result<Self, String> {
        let written = guest.quota.lock().unwrap_or_else(PoisonError::into_inner).save();
        let temporary = if is_temporary { files(guest)? } else { Vec::new() };
        Ok(Self { written, temporary })
    }

    /// Continues with another guest, whose limits apply. Files are written if its `/output` is temporary; a directory that is
    /// mounted there has the files that it has.
    pub(super) fn write(&self, guest: &GuestContext, is_temporary: bool) -> Result<(), Error> {
        let mut quota = guest.quota.lock().unwrap_or_else(PoisonError::into_inner);
        let files: &[Entry] = if is_temporary { &self.temporary } else { &[] };
        for Entry { path, file } in files {
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
        quota.resume(&self.written);
        Ok(())
    }
}

fn files(guest: &GuestContext) -> Result<Vec<Entry>, String> {
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
            if entry.directory {
                directories.push(entry.path.clone());
                entries.push(Entry { path: entry.path, file: None });
                continue;
            }
            let bytes = guest.files.read_whole(&entry.path, left).map_err(|error| match error {
                Error::LimitExceeded { .. } => {
                    format!("the files in its temporary {OUTPUT} have more than {BYTES} bytes together")
                }
                other => unreadable(other),
            })?;
            left -= bytes.len() as u64;
            entries.push(Entry { path: entry.path, file: Some(STANDARD.encode(bytes)) });
        }
    }
    Ok(entries)
}

fn one_line(error: &Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
