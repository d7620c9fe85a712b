//! Measures the figures of `docs/performance.md` in one run on one machine, so that they are comparable.
//!
//! Prints a table, or one JSON array with `--json`. The program never fails because of a slow result.

mod cancellation;
mod code_mode;
mod computing;
mod counts;
mod memory;
mod microvm;
mod native;
mod parallel;
mod row;
mod server;
mod service;
mod spans;
mod start_up;
mod states;
mod typed;
mod warm_images;
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
    /// Count exits, page faults and instructions of micro-VMs; used by `cargo xtask microvm bench --counts`
    #[arg(long, hide = true, conflicts_with = "microvm")]
    counts: bool,
    /// Measure another engine than the one in the process: process
    #[arg(long, default_value = "wasm", conflicts_with_all = ["microvm", "code_mode"])]
    isolation: Isolation,
    /// Measure one program against one call per turn, for docs/code-mode.md
    #[arg(long, conflicts_with = "microvm")]
    code_mode: bool,
    /// Measure these parts only
    #[arg(long, value_enum, value_name = "PART", value_delimiter = ',', conflicts_with_all = ["microvm", "code_mode"])]
    only: Vec<Part>,
    /// Serve the tools that `--code-mode` calls
    #[arg(long, hide = true)]
    shop: bool,
    /// Print the time of the first run in this process; used by `--microvm`
    #[arg(long, hide = true, value_name = "LANGUAGE")]
    first_run: Option<String>,
}

/// A part of the measurements on the engine in the process.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Instances, runs and calls, one after another
    Runs,
    /// Calls at the same time, and the cost of calls that are awaited
    Parallel,
    /// From a cancellation to the outcome
    Cancellation,
    /// Memory of an instance
    Memory,
    /// Snapshots and forks of sessions
    States,
    /// Runs through `isolette serve`, beside those of the library; not with isolation wasm
    Service,
    /// Fresh runs a second through `isolette serve`, which are part of `service`; only if it is named
    Throughput,
    /// 5,000 sandboxes in `isolette serve`; only if it is named
    Capacity,
    /// 10,000 sandboxes on three servers that share a store, one of which is killed; only if it is named
    Replicas,
    /// The command line tool as a process
    StartUp,
    /// Python and Node themselves
    Native,
    /// Programs that only compute, beside the same in the machine's Python; only if it is named
    Computing,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(language) = &options.first_run {
        return ended(microvm::first_run(language));
    }
    if options.counts {
        return ended(counts::print());
    }
    if options.shop {
        return ended(code_mode::serve_shop());
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
    let rows = if options.code_mode { code_mode::measure() } else { measure(&options) };
    ended(rows.map(|rows| row::print(&rows, options.json)))
}

fn ended(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(&Options { microvm, isolation, ref only, .. }: &Options) -> anyhow::Result<Vec<Row>> {
    let wants = |part| only.is_empty() || only.contains(&part);
    let spans = spans::Spans::default();
    // Nothing else reads them, and they cost time.
    if microvm || wants(Part::Runs) {
        tracing_subscriber::registry().with(spans.clone()).init();
    }
    let mut rows = Vec::new();
    for guest in work::GUESTS {
        eprintln!("measuring {}", guest.language);
        if microvm {
            rows.extend(microvm::measure(&guest, &spans)?);
            continue;
        }
        if wants(Part::Runs) {
            rows.extend(work::measure(&guest, isolation, &spans)?);
        }
        if wants(Part::Parallel) {
            rows.extend(parallel::measure(&guest, isolation)?);
        }
        if wants(Part::Cancellation) {
            rows.extend(cancellation::measure(&guest, isolation)?);
        }
        if wants(Part::Memory) {
            rows.push(memory::per_instance(&guest, isolation, 50)?);
        }
        if wants(Part::States) && isolation != Isolation::Wasm {
            rows.extend(states::measure(&guest, isolation)?);
        }
        if wants(Part::Service) && isolation != Isolation::Wasm {
            rows.extend(service::measure(&guest, isolation)?);
        } else if only.contains(&Part::Throughput) {
            rows.extend(service::throughput(&guest, isolation)?);
        }
    }
    if !microvm && wants(Part::StartUp) {
        rows.extend(start_up::measure(isolation)?);
    }
    if !microvm && wants(Part::Native) {
        rows.extend(native::measure());
    }
    if !microvm && wants(Part::Parallel) {
        rows.extend(parallel::native()?);
    }
    if only.contains(&Part::Capacity) {
        rows.extend(service::capacity::measure(isolation)?);
    }
    if only.contains(&Part::Replicas) {
        rows.extend(service::replicas::measure()?);
    }
    // This part takes minutes, and compares isolations by itself.
    if only.contains(&Part::Computing) {
        rows.extend(computing::measure()?);
    }
    Ok(rows)
}
