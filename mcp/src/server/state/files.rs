//! The files of the directory.

use std::{
    collections::HashMap,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use isolette::Error;

use super::Record;

/// The most files that are looked at.
const ENTRIES: usize = 20_000;

/// The most bytes of a record: the longest results of a task, and more.
const RECORD_BYTES: u64 = 256 << 20;

/// What a directory has.
pub(super) struct Found {
    pub(super) records: Vec<Record>,
    /// The paused programs that records name, with their sizes.
    pub(super) programs: HashMap<String, u64>,
    /// Why other records cannot be used.
    pub(super) refused: Vec<String>,
}

/// Makes the directory if it does not exist, and locks it.
pub(super) fn lock(directory: &Path) -> Result<File, Error> {
    let failed = |error| Error::io(format!("cannot keep state in `{}`", directory.display()), error);
    DirBuilder::new().recursive(true).mode(0o700).create(directory).map_err(failed)?;
    let mode = fs::metadata(directory).map_err(failed)?.permissions().mode();
    if mode & 0o022 != 0 {
        return Err(Error::InvalidArgument {
            message: format!("cannot keep state in `{}`: other users can write to it", directory.display()),
            hint: "name a directory of your own, or take the rights away: `chmod go-w`".into(),
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

/// Reads the records, and removes paused programs that none names.
pub(super) fn read(directory: &Path) -> Result<Found, Error> {
    let mut found = Found { records: Vec::new(), programs: HashMap::new(), refused: Vec::new() };
    for name in names(directory) {
        let path = place(directory, &name);
        match read_record(&path) {
            Ok(record) if record.name == name => found.records.push(record),
            Ok(_) => found.refused.push(format!("`{}` is a record of another name", path.display())),
            Err(error) => found.refused.push(format!("`{}` cannot be read: {error}", path.display())),
        }
    }
    for record in &found.records {
        if let Some(name) = record.file() {
            let size = fs::metadata(directory.join(name)).map_or(0, |metadata| metadata.len());
            found.programs.insert(name.to_owned(), size);
        }
    }
    // A record that cannot be read may name one of them.
    if found.refused.is_empty() {
        let unnamed = files(directory, "run").filter(|name| !found.programs.contains_key(&format!("{name}.run")));
        unnamed.for_each(|name| remove(&directory.join(format!("{name}.run"))));
    }
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

/// Writes a record as a whole, or not at all.
pub(super) fn write(directory: &Path, record: &Record) -> io::Result<()> {
    let text = serde_json::to_vec(record)?;
    // Only the user can read what `tempfile` makes.
    let mut draft = tempfile::Builder::new().prefix(".record-").tempfile_in(directory)?;
    draft.write_all(&text)?;
    draft.as_file().sync_all()?;
    draft.persist(place(directory, &record.name)).map(drop).map_err(|error| error.error)
}

/// Removes a file. One that cannot be removed is reported: it would be found again.
pub(super) fn remove(path: &Path) {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            tracing::warn!("`{}` cannot be removed: {error}", path.display());
        }
        _ => {}
    }
}

/// The file of a record.
pub(super) fn place(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.json"))
}

/// The names of the records.
pub(super) fn names(directory: &Path) -> impl Iterator<Item = String> {
    files(directory, "json")
}

/// The files with an extension, without it.
fn files(directory: &Path, extension: &'static str) -> impl Iterator<Item = String> {
    let entries = fs::read_dir(directory).into_iter().flatten().take(ENTRIES).flatten();
    entries.filter_map(move |entry| {
        let name = entry.file_name().into_string().ok()?;
        let name = name.strip_suffix(extension)?.strip_suffix('.')?;
        (!name.is_empty() && !name.starts_with('.')).then(|| name.to_owned())
    })
}
