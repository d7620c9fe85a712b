//! Files with one JSON object a line.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    sync::{Mutex, PoisonError},
};

use serde::{Serialize, de::DeserializeOwned};

use isolette_types::{Error, json_line};
use isolette_work::values::{Reservation, ValueMemory, read_json, value_bytes};

/// Maximum size, in bytes, of a file that is replayed.
pub(super) const LIMIT: u64 = 1 << 30;

/// Appends lines to a file.
#[derive(Debug)]
pub(crate) struct Writer(Mutex<File>);

impl Writer {
    pub(super) fn create(path: &Path) -> Result<Self, Error> {
        // Recordings may contain secrets, so only the owner may read them, whatever the mode of the directory is.
        let file = File::options().create_new(true).append(true).mode(0o600).open(path);
        file.map(|file| Self(Mutex::new(file)))
            .map_err(|error| Error::io(format!("cannot record to `{}`", path.display()), error))
    }

    /// Appends a line without buffering, so that it is kept if the host ends the program.
    pub(super) fn add(&self, line: &impl Serialize) -> io::Result<()> {
        let mut line = json_line(line)?;
        line.push('\n');
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes())
    }
}

/// Passes each line of a file to `keep`, with the memory that is reserved for its values. `keep` returns why a line is
/// invalid.
pub(super) fn read<Line: DeserializeOwned>(
    path: &Path,
    mut keep: impl FnMut(Line, Reservation) -> Result<(), String>,
) -> Result<(), Error> {
    let problem = |error| Error::io(format!("cannot replay `{}`", path.display()), error);
    let file = File::open(path).map_err(problem)?;
    let size = file.metadata().map_err(problem)?.len();
    if size > LIMIT {
        return Err(Error::LimitExceeded {
            unit: isolette_types::Unit::Bytes,
            what: "the recording",
            limit: LIMIT,
            used: size,
        });
    }
    for (index, line) in BufReader::new(file.take(LIMIT)).lines().enumerate() {
        let line = line.map_err(problem)?;
        let room = room(&line, path)?;
        let line: Result<Line, _> = read_json(line.as_bytes()).map_err(|error| error.to_string());
        line.and_then(|line| keep(line, room)).map_err(|why| {
            Error::invalid(
                format!("line {} of `{}` is none of a recording: {why}", index + 1, path.display()),
                "record again",
            )
        })?;
    }
    Ok(())
}

/// Reserves memory for the values of a part of a recording.
pub(super) fn room(json: &str, path: &Path) -> Result<Reservation, Error> {
    ValueMemory::reserve_for_operator(value_bytes(json.as_bytes())).map_err(|why| {
        Error::invalid(
            format!("`{}` cannot be replayed: {why}", path.display()),
            "replay a shorter recording, or give the host more memory for values (`ValueMemory::set_limit`; \
             `value_bytes` in `[server]`)",
        )
    })
}
