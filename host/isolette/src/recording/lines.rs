//! Files with one JSON object a line.

use std::{
    collections::{HashMap, VecDeque},
    fs::File,
    hash::Hash,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    sync::{Mutex, PoisonError},
};

use serde::{Serialize, de::DeserializeOwned};

use isolette_types::Error;
use isolette_work::{Call, values::Reservation, values::ValueMemory, values::value_bytes};

/// Maximum size, in bytes, of a file that is replayed.
const LIMIT: u64 = 1 << 30;

/// Appends lines to a file.
#[derive(Debug)]
pub(super) struct Writer(Mutex<File>);

impl Writer {
    pub(super) fn create(path: &Path) -> Result<Self, Error> {
        // Recordings may contain secrets, so only the owner may read them, whatever the mode of the directory is.
        let file = File::options().create_new(true).append(true).mode(0o600).open(path);
        file.map(|file| Self(Mutex::new(file)))
            .map_err(|error| Error::io(format!("cannot record to `{}`", path.display()), error))
    }

    /// Appends a line without buffering, so that it is kept if the host ends the program.
    pub(super) fn add(&self, line: &impl Serialize) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(&bytes)
    }
}

/// The recorded lines by request, in the order in which they were recorded.
#[derive(Debug)]
pub(super) struct Reader<Key, Line> {
    /// Each line with the memory reserved for its values.
    lines: Mutex<HashMap<Key, VecDeque<(Line, Reservation)>>>,
}

impl<Key: Eq + Hash, Line: DeserializeOwned> Reader<Key, Line> {
    /// Reads a file. `check` returns why a line is invalid.
    pub(super) fn open(
        path: &Path,
        key: impl Fn(&Line) -> Key,
        check: impl Fn(&Line) -> Result<(), String>,
    ) -> Result<Self, Error> {
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
        let mut lines: HashMap<Key, VecDeque<(Line, Reservation)>> = HashMap::new();
        for (index, line) in BufReader::new(file.take(LIMIT)).lines().enumerate() {
            let line = line.map_err(problem)?;
            let room = room(&line, path)?;
            let line: Result<Line, _> = serde_json::from_str(&line).map_err(|error| error.to_string());
            let line = line.and_then(|line| check(&line).map(|()| line)).map_err(|why| {
                Error::invalid(
                    format!("line {} of `{}` is none of a recording: {why}", index + 1, path.display()),
                    "record again",
                )
            })?;
            lines.entry(key(&line)).or_default().push_back((line, room));
        }
        Ok(Self { lines: Mutex::new(lines) })
    }

    /// Takes the next line for a request. Its memory is then accounted to the current host call.
    pub(super) fn next(&self, key: &Key) -> Option<Line> {
        let next = self.lines.lock().unwrap_or_else(PoisonError::into_inner).get_mut(key)?.pop_front();
        let (line, room) = next?;
        Call::keep(room);
        Some(line)
    }
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};
    use tokio_util::sync::CancellationToken;

    use super::*;
    use isolette_deadline::Deadline;

    #[test]
    fn the_memory_of_a_line_is_that_of_the_call_that_it_answers() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "[1, 2]\n[1, 3]\n").unwrap();
        let reader: Reader<u64, Value> =
            Reader::open(file.path(), |line: &Value| line[0].as_u64().unwrap_or(0), |_| Ok(())).unwrap();
        let call = Call::new(Deadline::new(Duration::MAX, Duration::MAX, CancellationToken::new()));
        let answers = call.within(|| [reader.next(&1), reader.next(&2)]);
        assert_eq!(answers, [Some(json!([1, 2])), None]);
        assert_eq!(call.reserved(), value_bytes(b"[1, 2]"));
        assert_eq!(reader.next(&1), Some(json!([1, 3])));
        assert_eq!(call.reserved(), value_bytes(b"[1, 2]"), "outside of a call nothing is kept");
    }
}
