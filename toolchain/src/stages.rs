//! The stages of a long task. Before each of them, a line names those that remain.

use std::time::Instant;

use anyhow::Result;

use crate::progress;

/// A stage: its name, and what it does.
type Stage<'a> = (&'static str, Box<dyn FnOnce() -> Result<()> + 'a>);

/// Stages that run in the order in which they were added. The first that fails is the last that runs.
#[derive(Default)]
pub(crate) struct Stages<'a>(Vec<Stage<'a>>);

impl<'a> Stages<'a> {
    /// Adds a stage.
    pub(crate) fn add(&mut self, name: &'static str, stage: impl FnOnce() -> Result<()> + 'a) {
        self.0.push((name, Box::new(stage)));
    }

    /// Runs all stages.
    pub(crate) fn run(self) -> Result<()> {
        let names: Vec<_> = self.0.iter().map(|(name, _)| *name).collect();
        let started = Instant::now();
        for (index, (_, stage)) in self.0.into_iter().enumerate() {
            progress::note(&announcement(&names, index, &progress::seconds(started.elapsed())));
            stage()?;
        }
        Ok(())
    }
}

fn announcement(names: &[&str], index: usize, elapsed: &str) -> String {
    let (number, total, name) = (index + 1, names.len(), names[index]);
    match &names[number..] {
        [] => format!("{number} of {total}, after {elapsed}: {name}; this is the last"),
        rest => format!("{number} of {total}, after {elapsed}: {name}; then {}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use anyhow::bail;

    use super::*;

    #[test]
    fn each_stage_is_announced_with_those_that_remain() {
        let names = ["images", "lints", "tests"];
        assert_eq!(announcement(&names, 0, "0.0 s"), "1 of 3, after 0.0 s: images; then lints, tests");
        assert_eq!(announcement(&names, 2, "3 min"), "3 of 3, after 3 min: tests; this is the last");
    }

    #[test]
    fn a_stage_that_fails_is_the_last() {
        let ran = RefCell::new(Vec::new());
        let mut stages = Stages::default();
        let stage = |number| {
            ran.borrow_mut().push(number);
            if number == 2 { bail!("failed") } else { Ok(()) }
        };
        (1..=3).for_each(|number| stages.add("a stage", move || stage(number)));
        assert!(stages.run().is_err());
        assert_eq!(*ran.borrow(), [1, 2]);
    }
}
