//! `isolette policy`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::sandbox_options::SandboxOptions;

#[derive(Debug, Subcommand)]
pub(crate) enum Policy {
    /// Check whether a policy is valid, and report errors.
    Check(PolicyChoice),
    /// Print the effective policy.
    Show(PolicyChoice),
}

#[derive(Debug, Args)]
pub(crate) struct PolicyChoice {
    /// The policy file, like `--policy`.
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxOptions,
    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
