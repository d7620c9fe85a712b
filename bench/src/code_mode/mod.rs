//! Measures the figures of `docs/code-mode.md`: one program in place of 36 calls.

mod shop;
mod wiring;

use std::time::Instant;

use anyhow::ensure;
use isolette::{Isolation, Language, Sandbox};
use serde_json::json;

pub(crate) use self::shop::serve as serve_shop;
use self::wiring::{Connected, Conversation};
use crate::row::Row;

const SAMPLES: usize = 50;

/// The program in each language, and the shop as code of the program.
const PROGRAMS: [(Language, &str, &str); 2] = [
    (Language::Python, include_str!("totals.py"), include_str!("without_tools.py")),
    (Language::JavaScript, include_str!("totals.js"), include_str!("without_tools.js")),
];

/// The way in which the model calls the tools.
#[derive(Clone, Copy)]
enum Wiring {
    OneCallATurn,
    AllAtOnce,
    Program,
}

impl Wiring {
    const ALL: [Self; 3] = [Self::OneCallATurn, Self::AllAtOnce, Self::Program];

    fn name(self) -> &'static str {
        match self {
            Self::OneCallATurn => "direct, one call a turn",
            Self::AllAtOnce => "direct, as many calls a turn as can be made",
            Self::Program => "one program",
        }
    }

    async fn ask(self, shop: &Connected, isolette: &Connected) -> anyhow::Result<Conversation> {
        match self {
            Self::OneCallATurn => shop.ask_directly(false).await,
            Self::AllAtOnce => shop.ask_directly(true).await,
            Self::Program => isolette.write_a_program().await,
        }
    }
}

pub(crate) fn measure() -> anyhow::Result<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    eprintln!("measuring conversations over the Model Context Protocol");
    let mut rows = runtime.block_on(conversations())?;
    for (language, program, without_tools) in PROGRAMS {
        eprintln!("measuring {language}");
        rows.extend(in_process(language, program, without_tools)?);
    }
    Ok(rows)
}

/// Measures all wirings with the same shop. They take turns, so that other load of the machine affects all of them.
async fn conversations() -> anyhow::Result<Vec<Row>> {
    let (shop, isolette) = (Connected::shop().await?, Connected::isolette().await?);
    let mut times = Wiring::ALL.map(|_| Vec::new());
    let mut last = Vec::new();
    for round in 0..SAMPLES + 3 {
        last.clear();
        for (wiring, times) in Wiring::ALL.into_iter().zip(&mut times) {
            let conversation = wiring.ask(&shop, &isolette).await?;
            // The first rounds are a warm-up.
            if round >= 3 {
                times.push(conversation.time);
            }
            last.push(conversation);
        }
    }
    let mut rows = Vec::new();
    for ((wiring, conversation), times) in Wiring::ALL.into_iter().zip(&last).zip(&times) {
        let name = wiring.name();
        let [definitions, written, read] = conversation.bytes();
        #[expect(clippy::cast_precision_loss, reason = "conversations are short")]
        let count = |what: &str, unit, count: usize| Row::new(format!("{name}: {what}"), unit, vec![count as f64]);
        rows.push(count("turns with calls", "turns", conversation.turns()));
        rows.push(count("definitions of tools", "bytes", definitions));
        rows.push(count("calls that the model writes", "bytes", written));
        rows.push(count("results that the model reads", "bytes", read));
        rows.push(count("context in the end", "tokens", conversation.context()));
        rows.push(count("contexts of all turns together", "tokens", conversation.sent()));
        rows.push(Row::milliseconds(format!("{name}: time, without the model's"), times));
    }
    shop.close().await?;
    isolette.close().await?;
    Ok(rows)
}

/// Measures a fresh run with 36 calls of functions of this process, and one without calls.
fn in_process(language: Language, program: &str, without_tools: &str) -> anyhow::Result<Vec<Row>> {
    let builder = Sandbox::builder().language(language).isolation(Isolation::Wasm);
    let sandbox = shop::tools()?.into_iter().fold(builder, isolette::SandboxBuilder::tool).build()?;
    let alone = format!("{without_tools}{program}");
    let mut times = [Vec::new(), Vec::new()];
    let mut calls = Vec::new();
    for round in 0..SAMPLES + 3 {
        let mut took = [0.0; 2];
        for ((code, expected), took) in [(program, 36), (&alone, 0)].into_iter().zip(&mut took) {
            let started = Instant::now();
            let result = sandbox.run(code)?;
            *took = started.elapsed().as_secs_f64() * 1e3;
            ensure!(result.success() && result.value == Some(json!(shop::TOTALS)), "the program returned {result:?}");
            ensure!(result.usage.tool_calls == expected, "the program made {} calls", result.usage.tool_calls);
        }
        if round >= 3 {
            times.iter_mut().zip(took).for_each(|(times, took)| times.push(took));
            calls.push(took[0] - took[1]);
        }
    }
    let [with, without] = times;
    Ok(vec![
        Row::new(format!("{language}, in the process: fresh run with 36 calls"), "ms", with),
        Row::new(format!("{language}, in the process: the same without calls"), "ms", without),
        Row::new(format!("{language}, in the process: what 36 calls add"), "ms", calls),
    ])
}
