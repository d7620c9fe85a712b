//! `isolette cache`.

use std::time::Duration;

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Cache {
    /// List the snapshots, most recently used first.
    List {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove snapshots that have not been used for a time. A sandbox creates missing snapshots again.
    Prune {
        /// Remove snapshots that were not used for this long; `0s` removes all.
        #[arg(long, value_name = "TIME", default_value = "30d", value_parser = |text: &str| humantime::parse_duration(text))]
        unused_for: Duration,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Print the directory of the snapshots.
    Path {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
}
