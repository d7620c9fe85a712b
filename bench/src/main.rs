//! Measures what `docs/performance.md` states, in one go and on one machine, so that its figures compare.
//!
//! Prints a table, or one JSON object with `--json`. It states no opinion: nothing here fails because it is slow.

mod memory;
mod microvm;
mod native;
mod row;
mod server;
mod spans;
mod typed;
mod work;

use std::process::ExitCode;

use clap::Parser;
use isolette::Isolation;
use row::Row;
use tracing_subscriber::{layer::SubscriberExt as _, util::SubscriberInitExt as _};

/// Measures Isolette
#[derive(Parser)]
struct Options {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
    /// Measure micro-VMs instead of the engine in the process
    #[arg(long)]
    microvm: bool,
    /// What `--microvm` starts this program with, to measure the start of a process
    #[arg(long, hide = true, value_name = "LANGUAGE")]
    first_run: Option<String>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(language) = &options.first_run {
        return match microvm::first_run(language) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error:#}");
                ExitCode::FAILURE
            }
        };
    }
    if options.microvm {
        match microvm::with_empty_cache() {
            Ok(None) => {}
            Ok(Some(code)) => return code,
            Err(error) => {
                eprintln!("error: {error:#}");
                return ExitCode::FAILURE;
            }
        }
    }
    match measure(options.microvm) {
        Ok(rows) => {
            row::print(&rows, options.json);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(microvm: bool) -> anyhow::Result<Vec<Row>> {
    let spans = spans::Spans::default();
    tracing_subscriber::registry().with(spans.clone()).init();
    let mut rows = Vec::new();
    for guest in work::GUESTS {
        eprintln!("measuring {}", guest.language);
        if microvm {
            rows.extend(microvm::measure(&guest, &spans)?);
        } else {
            rows.extend(work::measure(&guest, &spans)?);
            rows.push(memory::per_instance(&guest, Isolation::Wasm, 50)?);
        }
    }
    if !microvm {
        rows.extend(native::measure());
    }
    Ok(rows)
}
