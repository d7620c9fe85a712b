//! Recording and replay of HTTP exchanges and tool calls, as lines of JSON.
//!
//! A recording is a directory with `http.jsonl`, `tools.jsonl`, `tools.json` and `runs.jsonl`. It contains the responses
//! of servers and the results of tools, with the URLs and arguments of the requests, which may include secrets of the
//! program, and the order in which programs got the results of calls. It does not contain what the host adds to a request.

mod answers;
mod http;
mod lines;
mod origin;
mod recorded_run;
mod replayed_run;
mod run_lines;
mod runs;
mod tools;

use std::path::{Path, PathBuf};

pub(crate) use self::{
    http::{Recorder, Replayer, request},
    replayed_run::{RecordedWait, ReplayedRun},
    run_lines::Completed,
    runs::{RunRecording, Runs},
    tools::{recorded, replayed},
};
use isolette_types::Error;

/// What a sandbox does with a recording.
#[derive(Clone, Debug)]
pub(crate) enum Recording {
    /// Make a recording in this directory.
    Record(PathBuf),
    /// Answer from the recording in this directory, without network and tools.
    Replay(PathBuf),
}

/// Creates the directory of a new recording, which must be empty.
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
