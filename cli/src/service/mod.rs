//! `isolette serve`, and the commands that send requests to it.

mod client;
mod command;
mod failure;
mod follow;
mod options;
mod outcome;
mod place;
mod probe;
mod proxy;
mod runs;
mod sandboxes;
mod serve;
mod snapshots;
mod start;
mod table;

use self::failure::Report as _;
pub(crate) use self::{
    failure::Failure,
    options::{Cancel, Create, Destroy, Exec, Extend, Inspect, List, Logs, Pause, Ps, SnapshotCommand, Wait},
    place::ServerOptions,
    probe::{Options as Probe, probe},
    proxy::{Options as Proxy, proxy},
    runs::{Answers, answer, cancel, document, exec, logs, ps, show_calls, wait},
    sandboxes::{create, destroy, extend, fork, inspect, list, pause, resume},
    serve::{Options as Serve, serve},
    snapshots::snapshot,
};
use crate::exit::Code;

/// Does the work of a command, and prints why it failed.
fn perform(json: bool, work: impl Future<Output = Result<Code, Failure>>) -> Code {
    client::on_runtime(work).unwrap_or_else(|failure| failure.report(json))
}
