//! Known vulnerabilities of dependencies. Their database is in no package registry, so it is compared only where its repository
//! is reachable. Elsewhere, the date of the latest manual comparison is reported.

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result};

use super::{CARGO, first_lines};
use crate::{invocation::Invocation, project::Project, tools};

/// The document with the table of manual comparisons.
const RECORD: &str = "docs/advisories.md";

/// The date of the latest manual comparison.
pub(crate) fn note(project: &Project) -> Result<String> {
    let path = project.path(RECORD);
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let (date, database) = latest(&text).with_context(|| format!("{RECORD} has no table of comparisons"))?;
    Ok(format!("advisories were last compared manually on {date}, with the database of {database} ({RECORD})"))
}

/// The first two columns of the first row of the table.
fn latest(text: &str) -> Option<(&str, &str)> {
    let row = text.lines().find(|line| line.starts_with("| 2"))?;
    let mut columns = row.trim_matches(['|', ' ']).split('|').map(str::trim);
    Some((columns.next()?, columns.next()?))
}

/// Compares them now if the database is reachable. It is not an error if it is not.
pub(super) fn look(project: &Project) -> Result<String> {
    let by_hand = note(project)?;
    let Some(program) = installed(project) else {
        return Ok(format!(
            "advisories: not compared: cargo-deny is not installed (`cargo xtask deny` installs it)\n  {by_hand}"
        ));
    };
    let deny = |title: &str| {
        Invocation::new(title, &program).args(["--all-features", "--config"]).arg(project.path("deny.toml"))
    };
    let fetch = deny("fetch the database of advisories").args(["fetch", "db"]).directory(project.root());
    if let Err(error) = fetch.env("GIT_TERMINAL_PROMPT", "0").output() {
        return Ok(format!("advisories: not compared: {}\n  {by_hand}", first_lines(&format!("{error:#}"))));
    }
    let mut said = vec!["advisories: compared with the database of today".to_owned()];
    for folder in CARGO {
        let check = deny(&format!("compare advisories with {folder}"))
            .args(["check", "--disable-fetch", "advisories"])
            .directory(project.path(folder));
        said.push(match check.output() {
            Ok(_) => format!("  {folder}: none"),
            Err(error) => format!("  {folder}: FOUND, or the comparison failed:\n{error:#}"),
        });
    }
    Ok(said.join("\n"))
}

fn installed(project: &Project) -> Option<PathBuf> {
    let ours = project.toolchain().join("cargo-deny/bin/cargo-deny");
    tools::find("cargo-deny").or_else(|| ours.is_file().then_some(ours))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_is_the_latest() {
        let text = "words\n\n| looked on | database of | found |\n|---|---|---|\n| 2026-11-23 | 2026-08-21 | none |\n| 2026-01-01 | x | y |\n";
        assert_eq!(latest(text), Some(("2026-11-23", "2026-08-21")));
        assert_eq!(latest("nothing"), None);
    }
}
