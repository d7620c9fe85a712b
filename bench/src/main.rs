//! Measures what `docs/performance.md` states, in one go and on one machine, so that its figures compare.
//!
//! Prints a table, or one JSON object with `--json`. It states no opinion: nothing here fails because it is slow.

mod memory;
mod native;
mod row;
mod server;
mod spans;
mod work;

use std::process::ExitCode;

use row::Row;
use tracing_subscriber::{layer::SubscriberExt as _, util::SubscriberInitExt as _};

fn main() -> ExitCode {
    let json = std::env::args().skip(1).any(|argument| argument == "--json");
    match measure() {
        Ok(rows) => {
            row::print(&rows, json);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> anyhow::Result<Vec<Row>> {
    let spans = spans::Spans::default();
    tracing_subscriber::registry().with(spans.clone()).init();
    let mut rows = Vec::new();
    for guest in work::GUESTS {
        eprintln!("measuring {}", guest.language);
        rows.extend(work::measure(&guest, &spans)?);
        rows.push(memory::per_instance(&guest)?);
    }
    rows.extend(native::measure());
    Ok(rows)
}
