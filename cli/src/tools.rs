//! `isolette tools`.
use std::process::ExitCode;
#[derive(Debug, clap::Args)]
pub(crate) struct Options {}
pub(crate) fn tools(_: Options) -> ExitCode { ExitCode::SUCCESS }
