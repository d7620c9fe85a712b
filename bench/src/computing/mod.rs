//! Measures programs that only compute, in a process, in the host's process and in the machine's own Python, by turns.
//!
//! Processor time is compared, since it depends least on what else the machine does.

mod native;

use std::{collections::BTreeMap, time::Duration};

use anyhow::Context as _;
use isolette::{Isolation, Language, Sandbox, policy::Limits};
use serde_json::Value;

use self::native::Interpreter;
use crate::row::Row;

/// Times that each program runs in each place.
const TURNS: usize = 5;

const PROGRAMS: [(&str, &str); 12] = [
    ("fannkuch", include_str!("programs/fannkuch.py")),
    ("n-body", include_str!("programs/nbody.py")),
    ("spectral norm", include_str!("programs/spectral_norm.py")),
    ("strings", include_str!("programs/strings.py")),
    ("collections", include_str!("programs/collections_of_values.py")),
    ("sorting", include_str!("programs/sorting.py")),
    ("classes", include_str!("programs/classes.py")),
    ("recursion", include_str!("programs/recursion.py")),
    ("JSON", include_str!("programs/json_text.py")),
    ("regular expressions", include_str!("programs/regular_expressions.py")),
    ("big integers", include_str!("programs/big_integers.py")),
    ("SHA-256", include_str!("programs/sha256.py")),
];

const PLACES: [Isolation; 2] = [Isolation::Process, Isolation::Wasm];

pub(crate) fn measure() -> anyhow::Result<Vec<Row>> {
    let interpreter = Interpreter::of_machine()?;
    eprintln!("measuring against {}", interpreter.version);
    let mut limits = Limits::default();
    (limits.timeout, limits.cpu_time) = (Duration::from_secs(120), Duration::from_secs(120));
    let create =
        |isolation| Sandbox::builder().language(Language::Python).isolation(isolation).limits(limits.clone()).build();
    let sandboxes = [create(PLACES[0])?, create(PLACES[1])?];
    let mut rows = Vec::new();
    let mut ratios: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (name, program) in PROGRAMS {
        let mut native = Vec::new();
        let mut guests = [Vec::new(), Vec::new()];
        for _ in 0..TURNS {
            let (time, expected) = interpreter.run(program).with_context(|| format!("{name}, native"))?;
            native.push(time);
            for (sandbox, times) in sandboxes.iter().zip(&mut guests) {
                let (time, value) = in_sandbox(sandbox, program).with_context(|| name.to_owned())?;
                anyhow::ensure!(value == expected, "{name} computes {value}, and natively {expected}");
                times.push(time);
            }
        }
        let native = Row::new(format!("computing, {name}: native"), "ms", native);
        for (place, times) in guests.into_iter().enumerate() {
            let isolation = PLACES[place];
            let row = Row::new(format!("computing, {name}: {isolation}"), "ms", times);
            ratios.entry(place).or_default().push(row.median / native.median);
            let what = format!("computing, {name}: {isolation}, against native");
            rows.push(Row::new(what, "times", vec![row.median / native.median]));
            rows.push(row);
        }
        rows.push(native);
    }
    for (place, ratios) in ratios {
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let what = format!("computing: {}, against {}, geometric mean", PLACES[place], interpreter.version);
        rows.push(Row::new(what, "times", vec![mean]));
    }
    Ok(rows)
}

/// Milliseconds of processor time of a fresh run, its compilation included, and the value of the program.
fn in_sandbox(sandbox: &Sandbox, program: &str) -> anyhow::Result<(f64, Value)> {
    let result = sandbox.run(program)?;
    if let Some(error) = result.error {
        anyhow::bail!("the program failed: {}", error.traceback);
    }
    Ok((result.usage.cpu_ms, result.value.context("the program has no value")?))
}
