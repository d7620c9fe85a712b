//! The files of the directory.

use std::{
    collections::HashMap,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::Path,
};

use isolette::Error;

use super::{Origin, Program, Record};

/// Maximum number of files of the directory. With more, the directory is not used: files that are not read would be lost.
const ENTRIES: usize = 100_000;

/// Maximum size of a record in bytes: more than the longest results of a task.
const RECORD_BYTES: u64 = 256 << 20;

/// Suffix of the names of records.
const RECORD: &str = ".json";

/// Suffix of the names of the files of paused programs.
pub(super) const PROGRAM: &str = ".run";

/// Prefix of the names of files that are being written.
const DRAFT: &str = ".draft-";

/// The contents of a directory.
pub(super) struct Found {
    pub(super) records: Vec<Record>,
    /// The programs that wait, with their bytes.
    pub(super) programs: HashMap<String, u64>,
    /// The reasons why other records cannot be used.
    pub(super) refused: Vec<String>,
}

/// Makes the directory if it does not exist, and locks it.
pub(super) fn lock(directory: &Path) -> Result<File, Error> {
    let failed = |error| Error::io(format!("cannot keep state in `{}`", directory.display()), error);
    DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(failed)?;
    let found = fs::metadata(directory).map_err(failed)?;
    // The owner of what this process makes is its user.
    let own = tempfile::Builder::new().prefix(DRAFT).tempfile_in(directory).map_err(failed)?;
    let is_own = own.as_file().metadata().map_err(failed)?.uid() == found.uid();
    if found.mode() & 0o077 != 0 || !is_own {
        return Err(Error::InvalidArgument {
            message: format!("cannot keep state in `{}`: it is not for this user only", directory.display()),
            hint: "name a directory of your own that others cannot read: `chmod 700`".into(),
        });
    }
    let mut options = OpenOptions::new();
    let file = options.create(true).write(true).truncate(false).mode(0o600).open(directory.join("lock"));
    let file = file.map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(Error::InvalidArgument {
            message: format!("cannot keep state in `{}`: another server uses it", directory.display()),
            hint: "end that server, or name another directory".into(),
        }),
        Err(fs::TryLockError::Error(error)) => Err(failed(error)),
    }
}

/// Reads the records, and removes drafts, and paused programs that no record names.
///
/// # Errors
/// [`Error::Io`] if the directory cannot be read or has too many files.
pub(super) fn read(directory: &Path) -> Result<Found, Error> {
    let names = names(directory).map_err(|error| Error::io(format!("cannot read `{}`", directory.display()), error))?;
    let mut found = Found { records: Vec::new(), programs: HashMap::new(), refused: Vec::new() };
    for name in names.iter().filter_map(|name| name.strip_suffix(RECORD)) {
        let path = directory.join(record(name));
        match read_record(&path).and_then(|record| check(record, name)) {
            Ok(record) => found.records.push(record),
            Err(error) => found.refused.push(format!("`{}` cannot be read: {error}", path.display())),
        }
    }
    for record in &found.records {
        match record.program() {
            Some(Program { origin: Origin::File(name), .. }) => {
                let size = fs::metadata(directory.join(name)).map_or(0, |metadata| metadata.len());
                found.programs.insert(name.clone(), size);
            }
            Some(Program { origin: Origin::Code { name, code }, .. }) => {
                found.programs.insert(name.clone(), code.len() as u64);
            }
            None => {}
        }
    }
    let is_useless = |name: &&String| {
        // A record that cannot be read may name a program.
        let is_unnamed = name.ends_with(PROGRAM) && found.refused.is_empty() && !found.programs.contains_key(*name);
        name.starts_with(DRAFT) || is_unnamed
    };
    names.iter().filter(is_useless).try_for_each(|name| remove(directory, name))?;
    Ok(found)
}

fn read_record(path: &Path) -> io::Result<Record> {
    let mut text = Vec::new();
    File::open(path)?.take(RECORD_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > RECORD_BYTES {
        return Err(io::Error::other(format!("it has more than {RECORD_BYTES} bytes")));
    }
    // Results are nested as deeply as values of programs may be, in what was written here.
    let mut deserializer = serde_json::Deserializer::from_slice(&text);
    deserializer.disable_recursion_limit();
    serde::Deserialize::deserialize(&mut deserializer).map_err(io::Error::other)
}

/// Checks the names in a record.
fn check(record: Record, name: &str) -> io::Result<Record> {
    if record.name != name {
        return Err(io::Error::other("it is a record of another name"));
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_of_program =
        |file: &str| file.strip_suffix(PROGRAM).is_some_and(|stem| !stem.is_empty() && stem.bytes().all(is_plain));
    match record.program() {
        Some(Program { origin: Origin::File(file), .. }) if !is_of_program(file) => {
            Err(io::Error::other("it names a file that is not of a paused program"))
        }
        _ => Ok(record),
    }
}

/// Writes a record as a whole, or not at all.
pub(super) fn write_record(directory: &Path, name: &str, text: &[u8]) -> Result<(), Error> {
    if text.len() as u64 > RECORD_BYTES {
        let error = io::Error::other(format!("it has {} bytes, and {RECORD_BYTES} can be read", text.len()));
        return Err(Error::io("cannot write a record", error));
    }
    write(directory, &record(name), text)
}

/// Writes a file as a whole, or not at all. Only the user can read it.
pub(super) fn write(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let path = directory.join(name);
    let write = || {
        let mut draft = tempfile::Builder::new().prefix(DRAFT).tempfile_in(directory)?;
        draft.write_all(bytes)?;
        draft.as_file().sync_all()?;
        draft.persist(&path).map_err(|error| error.error)?;
        File::open(directory)?.sync_all()
    };
    write().map_err(|error| Error::io(format!("cannot write `{}`", path.display()), error))
}

/// Removes a file for good: it does not come back after a loss of power.
pub(super) fn remove(directory: &Path, name: &str) -> Result<(), Error> {
    let path = directory.join(name);
    let remove = || match fs::remove_file(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(()) => File::open(directory)?.sync_all(),
    };
    remove().map_err(|error| Error::io(format!("cannot remove `{}`", path.display()), error))
}

/// The name of the file of a record.
pub(super) fn record(name: &str) -> String {
    format!("{name}{RECORD}")
}

fn names(directory: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        if names.len() == ENTRIES {
            return Err(io::Error::other(format!("it has more than {ENTRIES} files")));
        }
        // No file of ours has another name.
        names.extend(entry?.file_name().into_string());
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn records_name_nothing_outside_of_the_directory() {
        let record = |name: &str, file: &str| {
            let program = serde_json::json!({
                "language": "python", "timeout": { "secs": 1, "nanos": 0 }, "client": "stdio", "address": "",
                "origin": { "file": file },
            });
            let until = serde_json::json!({ "secs_since_epoch": 1, "nanos_since_epoch": 0 });
            let text =
                serde_json::json!({ "name": name, "subject": { "parked": { "until": until, "program": program } } });
            check(serde_json::from_value(text).unwrap(), "name").is_ok()
        };
        assert!(record("name", "a-_Z9.run"));
        for file in ["", ".run", "../a.run", "/etc/a.run", "a", "a.json", "a.run/"] {
            assert!(!record("name", file), "{file}");
        }
        assert!(!record("other", "a.run"));
    }

    #[test]
    fn drafts_and_unnamed_programs_are_removed_unless_a_record_cannot_be_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
        let _lock = lock(path).unwrap();
        for name in ["broken.json", "unnamed.run", ".draft-1"] {
            fs::write(path.join(name), "").unwrap();
        }
        assert_eq!(read(path).unwrap().refused.len(), 1);
        let exists = |name: &str| path.join(name).exists();
        assert_eq!((exists("unnamed.run"), exists(".draft-1")), (true, false));
        fs::remove_file(path.join("broken.json")).unwrap();
        read(path).unwrap();
        assert!(!exists("unnamed.run") && exists("lock"));
    }
}
