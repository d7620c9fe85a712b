//! Messages of xtask. They go to standard error, because standard output belongs to the program that is run.
//!
//! On a terminal, a step is one line that is updated. Elsewhere it is a line at the start, one at intervals, and one at the
//! end. A step that ends quickly is not mentioned.

use std::{
    io::{IsTerminal as _, Write as _, stderr},
    sync::OnceLock,
    time::{Duration, Instant},
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// A step that takes no longer than this is not mentioned.
const MOMENT: Duration = Duration::from_secs(1);

/// The interval of progress lines without a terminal.
const STILL_THERE: Duration = Duration::from_secs(30);

fn on_terminal() -> bool {
    static TERMINAL: OnceLock<bool> = OnceLock::new();
    *TERMINAL.get_or_init(|| stderr().is_terminal())
}

/// The bars of all steps that are running, one below the other.
fn bars() -> &'static MultiProgress {
    static BARS: OnceLock<MultiProgress> = OnceLock::new();
    BARS.get_or_init(MultiProgress::new)
}

/// Prints one line. If standard error is closed, the work continues.
pub(crate) fn note(text: &str) {
    bars().suspend(|| {
        let _ = writeln!(stderr(), "xtask: {text}");
    });
}

/// A step that is running.
#[derive(Debug)]
pub(crate) struct Progress {
    title: String,
    started: Instant,
    bar: Option<ProgressBar>,
    /// The latest line of the step's command.
    line: String,
    /// When the latest progress line was printed.
    said: Option<Instant>,
    /// The number of finished parts, if the step counts them.
    reached: usize,
    total: Option<usize>,
}

impl Progress {
    pub(crate) fn start(title: &str) -> Self {
        let now = Instant::now();
        let bar = on_terminal().then(|| {
            let bar = bars().add(ProgressBar::no_length());
            // The template is a constant of the right form; without it the default style serves as well.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} [{elapsed}] {wide_msg:.dim}") {
                bar.set_style(style);
            }
            bar.set_prefix(title.to_owned());
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Self { title: title.to_owned(), started: now, bar, line: String::new(), said: None, reached: 0, total: None }
    }

    /// Makes it a step that counts to `total`.
    pub(crate) fn expect(&mut self, total: usize) {
        self.total = Some(total);
        if let Some(bar) = &self.bar {
            bar.set_length(total as u64);
            let style =
                ProgressStyle::with_template("{spinner} {prefix} [{elapsed}] {bar:24} {pos}/{len} {wide_msg:.dim}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
        }
    }

    /// Sets the number of finished parts.
    pub(crate) fn reach(&mut self, number: usize) {
        self.reached = number;
        if let Some(bar) = &self.bar {
            bar.set_position(number as u64);
        }
    }

    /// Sets what the step is doing.
    pub(crate) fn show(&mut self, line: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(line.to_owned()),
            None => line.clone_into(&mut self.line),
        }
    }

    /// Prints a progress line if the interval has passed. To be called several times a second.
    pub(crate) fn tick(&mut self) {
        if self.bar.is_some() {
            return;
        }
        match self.said {
            None if self.started.elapsed() >= MOMENT => note(&format!("{} …", self.title)),
            Some(said) if said.elapsed() >= STILL_THERE => {
                let count = self.total.map(|total| format!("{} of {total}: ", self.reached)).unwrap_or_default();
                note(&format!("{} … {}: {count}{}", self.title, seconds(self.started.elapsed()), self.line.trim()));
            }
            _ => return,
        }
        self.said = Some(Instant::now());
    }

    /// The step succeeded.
    pub(crate) fn done(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let took = self.started.elapsed();
        if took >= MOMENT {
            note(&format!("{}: done in {}", self.title, seconds(took)));
        }
    }

    /// The step failed.
    pub(crate) fn failed(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        note(&format!("{}: failed after {}", self.title, seconds(self.started.elapsed())));
    }
}

/// A duration for people.
pub(crate) fn seconds(duration: Duration) -> String {
    match duration.as_secs() {
        0..60 => format!("{:.1} s", duration.as_secs_f64()),
        whole => format!("{} min {:02} s", whole / 60, whole % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        assert_eq!(seconds(Duration::from_millis(1240)), "1.2 s");
        assert_eq!(seconds(Duration::from_secs(59)), "59.0 s");
        assert_eq!(seconds(Duration::from_secs(605)), "10 min 05 s");
    }
}
