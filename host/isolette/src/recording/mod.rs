//! What was said to the world outside, kept to be said again: HTTP exchanges and calls of tools, as lines of JSON.
//!
//! A recording is a directory with `http.jsonl`, `tools.jsonl` and `tools.json`. It has what servers and tools returned, and
//! the URLs and arguments that they were asked with, secrets of a program's own among them. It has nothing that the host adds
//! to a request.

mod http;
mod lines;
mod tools;

use std::path::{Path, PathBuf};

pub(crate) use self::{
    http::{Recorder, Replayer},
    tools::{recorded, replayed},
};
use isolette_types::Error;

/// What there is to be done with a recording.
#[derive(Clone, Debug)]
pub(crate) enum Recording {
    /// Make one.
    Record(PathBuf),
    /// Answer from one, and ask nobody.
    Replay(PathBuf),
}

/// The directory of a new recording, which must have none yet.
pub(crate) fn begin(directory: &Path) -> Result<(), Error> {
    let problem = |error| Error::io(format!("cannot record to `{}`", directory.display()), error);
    std::fs::create_dir_all(directory).map_err(problem)?;
    if std::fs::read_dir(directory).map_err(problem)?.next().is_some() {
        return Err(Error::invalid(
            format!("cannot record to `{}`: something is there already", directory.display()),
            "name a directory that is empty or not there yet",
        ));
    }
    Ok(())
}
