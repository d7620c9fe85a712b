//! The command line `isolette`: runs untrusted programs.
//!
//! Standard output is data (the output of the program, its value, JSON); all messages of the tool itself go to standard
//! error. It is a library so that other packages can contain the command line without a second program.
//!
//! The crate depends on everything that it offers as a command: the crate `isolette`, MCP, the service, the proxy and the inspector.
//! No crate but the Python package depends on it.

#![deny(missing_docs)]

#[macro_use]
mod terminal;

mod again;
mod arguments;
mod audit;
mod cache;
mod capability;
mod completions;
mod config;
mod exit;
mod image;
mod inspect_run;
mod interrupt;
mod mcp;
mod pause;
mod policy;
mod printer;
mod program;
mod report;
mod run;
mod sandbox_options;
mod service;
mod snapshot;
mod sources;
mod telemetry;
mod tools;
mod warm_image;
mod warnings;

use std::ffi::OsString;

use arguments::{Arguments, Command};
use clap::Parser as _;
use exit::Code;
use telemetry::Telemetry;

/// Sets the program and its first arguments that execute this command line in a process of its own, for a server that a command
/// starts, and for settings of other programs. Default: the program of this process.
pub fn set_program(command: Vec<OsString>) {
    again::set(command);
}

/// Executes the command line. The first argument is the name of the program. Returns the exit code, which `isolette run --help`
/// explains.
pub fn command_line(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let asked_for = !error.use_stderr();
            // If this fails, there is no way to report it.
            let _ = error.print();
            return if asked_for { Code::SUCCESS.number() } else { exit::USAGE.number() };
        }
    };
    let collector = match &arguments.command {
        Command::Run(options) => options.audit.otlp.as_ref(),
        Command::Mcp(options) => options.audit.otlp.as_ref(),
        Command::Resume(options) => options.audit.otlp.as_ref(),
        Command::Serve(options) => options.audit.otlp.as_ref(),
        _ => None,
    };
    let telemetry = match Telemetry::start(arguments.verbose, collector) {
        Ok(telemetry) => telemetry,
        Err(error) => return exit::fail(&error).number(),
    };
    let code = match arguments.command {
        Command::Run(options) => run::run(*options),
        Command::Mcp(options) => mcp::mcp(*options),
        Command::Tools(options) => tools::tools(options),
        Command::Capability(command) => capability::capability(&command),
        Command::Image(command) => image::image(&command),
        Command::Serve(options) => service::serve(*options),
        Command::Create(options) => service::create(*options),
        Command::List(options) => service::list(options),
        Command::Inspect(options) => service::inspect(options),
        Command::Extend(options) => service::extend(options),
        Command::Destroy(options) => service::destroy(options),
        Command::Exec(options) => service::exec(*options),
        Command::Ps(options) => service::ps(options),
        Command::Logs(options) => service::logs(options),
        Command::Wait(options) => service::wait(options),
        Command::Cancel(options) => service::cancel(options),
        Command::Pause(options) => service::pause(options),
        Command::Proxy(options) => service::proxy(*options),
        Command::Probe(options) => service::probe(options),
        Command::InspectRun(options) => inspect_run::inspect_run(&options),
        Command::Snapshot(options) => snapshot::snapshot(options),
        Command::Resume(options) => pause::resume(*options),
        Command::Fork(options) => snapshot::fork(*options),
        Command::Policy(command) => policy::policy(command),
        Command::Cache(command) => cache::cache(&command),
        Command::Completions { shell } => completions::completions(shell),
    };
    telemetry.finish();
    code.number()
}
