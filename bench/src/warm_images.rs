//! Measures programs that start in the state after a set-up program, beside those that do the same work themselves.

use std::time::{Duration, Instant};

use isolette::{Isolation, Language, RunOptions, Sandbox, WarmImage};

use crate::row::Row;

/// Samples of each row.
const SAMPLES: usize = 50;

pub(crate) fn measure(language: Language, isolation: Isolation) -> anyhow::Result<Vec<Row>> {
    // Modules that programs for data use, and a table of some MiB.
    let set_up = match language {
        Language::Python => {
            "import collections, csv, datetime, decimal, json, re, statistics\ntable = {n: str(n) for n in range(50_000)}"
        }
        _ => "var table = new Map(Array.from({ length: 50000 }, (_, n) => [n, String(n)]))",
    };
    let look = match language {
        Language::Python => "len(table)",
        _ => "table.size",
    };
    let builder = || Sandbox::builder().language(language).isolation(isolation);
    let plain = builder().build()?;
    let mut image = WarmImage::new("measured", set_up)?;
    image.set_up(&plain, RunOptions::new())?;
    let folder = tempfile::tempdir()?;
    let began = Instant::now();
    image.save(folder.path().join("measured"))?;
    let saved = began.elapsed();
    let began = Instant::now();
    let warm = builder().image(folder.path().join("measured")).build()?;
    let opened = began.elapsed();
    let row = |what: &str, samples: &[Duration]| Row::milliseconds(format!("{language}: {what}"), samples);
    let whole = format!("{set_up}\n{look}");
    Ok(vec![
        row("a warm image, written", &[saved]),
        row("a warm image, loaded", &[opened]),
        row("a program that does the set-up itself", &timed(&plain, &whole)?),
        row("a program in the warm image", &timed(&warm, look)?),
        row("the same without a set-up", &timed(&plain, "1")?),
    ])
}

fn timed(sandbox: &Sandbox, code: &str) -> Result<Vec<Duration>, isolette::Error> {
    sandbox.run(code)?;
    let time = || {
        let began = Instant::now();
        sandbox.run(code).map(|_| began.elapsed())
    };
    (0..SAMPLES).map(|_| time()).collect()
}
