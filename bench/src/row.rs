//! One row of the table.

use std::time::Duration;

use serde::Serialize;

#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) what: String,
    pub(crate) unit: &'static str,
    pub(crate) minimum: f64,
    pub(crate) median: f64,
    pub(crate) maximum: f64,
    pub(crate) samples: usize,
}

impl Row {
    pub(crate) fn new(what: impl Into<String>, unit: &'static str, mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let at = |index: usize| samples.get(index).copied().unwrap_or(f64::NAN);
        Self {
            what: what.into(),
            unit,
            minimum: at(0),
            median: at(samples.len() / 2),
            maximum: at(samples.len().saturating_sub(1)),
            samples: samples.len(),
        }
    }

    pub(crate) fn milliseconds(what: impl Into<String>, samples: &[Duration]) -> Self {
        Self::new(what, "ms", samples.iter().map(|sample| sample.as_secs_f64() * 1e3).collect())
    }

    /// Each sample is the time of `count` equal operations.
    pub(crate) fn microseconds_each(what: impl Into<String>, count: u32, samples: &[Duration]) -> Self {
        Self::new(what, "µs", samples.iter().map(|sample| sample.as_secs_f64() * 1e6 / f64::from(count)).collect())
    }
}

pub(crate) fn print(rows: &[Row], json: bool) {
    if json {
        match serde_json::to_string_pretty(rows) {
            Ok(text) => println!("{text}"),
            Err(error) => eprintln!("error: {error}"),
        }
        return;
    }
    println!("| what | unit | minimum | median | maximum | samples |");
    println!("|---|---|---:|---:|---:|---:|");
    for row in rows {
        println!(
            "| {} | {} | {:.3} | {:.3} | {:.3} | {} |",
            row.what, row.unit, row.minimum, row.median, row.maximum, row.samples
        );
    }
}
