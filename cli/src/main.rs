//! `isolette`: runs untrusted programs from the command line.
//!
//! Standard output is data (the output of the program, its value, JSON); all messages of the tool itself go to standard
//! error.

#[macro_use]
mod terminal;

mod arguments;
mod audit;
mod cache;
mod capability;
mod completions;
mod config;
mod exit;
mod image;
mod interrupt;
mod mcp;
mod pause;
mod policy;
mod printer;
mod program;
mod report;
mod run;
mod sandbox_options;
mod snapshot;
mod sources;
mod telemetry;
mod tools;
mod warm_image;
mod warnings;

use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser as _;
use telemetry::Telemetry;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            let asked_for = !error.use_stderr();
            // If this fails, there is no way to report it.
            let _ = error.print();
            return if asked_for { ExitCode::SUCCESS } else { exit::USAGE.into() };
        }
    };
    let collector = match &arguments.command {
        Command::Run(options) => options.audit.otlp.as_ref(),
        Command::Mcp(options) => options.audit.otlp.as_ref(),
        Command::Resume(options) => options.audit.otlp.as_ref(),
        _ => None,
    };
    let telemetry = match Telemetry::start(arguments.verbose, collector) {
        Ok(telemetry) => telemetry,
        Err(error) => return exit::fail(&error),
    };
    let code = match arguments.command {
        Command::Run(options) => run::run(*options),
        Command::Mcp(options) => mcp::mcp(*options),
        Command::Tools(options) => tools::tools(options),
        Command::Capability(command) => capability::capability(&command),
        Command::Image(command) => image::image(&command),
        Command::Snapshot(options) => snapshot::snapshot(&options),
        Command::Resume(options) => pause::resume(*options),
        Command::Fork(options) => snapshot::fork(*options),
        Command::Policy(command) => policy::policy(command),
        Command::Cache(command) => cache::cache(&command),
        Command::Completions { shell } => completions::completions(shell),
    };
    telemetry.finish();
    code
}
