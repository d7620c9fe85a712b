//! `isolette serve`, called over HTTP by hand and by the command line. `server` starts servers and sends requests.

use std::process::ExitCode;

use isolette_tests::{
    libtest_mimic::{self, Arguments},
    panics,
};

mod answers;
mod callers;
mod command_line;
mod crashes;
mod deploy;
mod e2b;
mod events;
mod files;
mod grants;
mod hostile_clients;
mod hosts;
mod hyperbox;
mod idempotency;
mod inspector;
mod interface;
mod mutations;
mod proxy;
mod replicas;
mod restarts;
mod room;
mod runs;
mod sandboxes;
mod server;
mod servers;
mod snapshots_and_forks;
mod typescript;
mod unread;
mod upgrades;

fn main() -> ExitCode {
    panics::install();
    libtest_mimic::run(&Arguments::from_args(), isolette_tests::trials()).exit_code()
}
