//! `Intl`: programs print the same in the sandbox and in Node, if its data has the version of the image.
//!
//! Each program prints one case to a line. Lines that differ are listed with a reason in `guests/intl/differences.txt`, and
//! a line that is listed and does not differ any more fails the test as well.

use std::{collections::BTreeSet, fs};

use isolette::Language;
use isolette_tests::{Case, Skipped, guests, native, scenario};

/// The versions of the locale data and of Unicode in the image.
const DATA: &str = "48.0 17.0\n";

#[scenario(programs = ["intl/numbers"], only = JavaScript, because = "only JavaScript has `Intl`")]
fn intl_numbers_match_node(case: &Case) -> Result<(), Skipped> {
    compare(case, "intl/numbers")
}

#[scenario(programs = ["intl/dates"], only = JavaScript, because = "only JavaScript has `Intl`")]
fn intl_dates_match_node(case: &Case) -> Result<(), Skipped> {
    compare(case, "intl/dates")
}

#[scenario(programs = ["intl/texts"], only = JavaScript, because = "only JavaScript has `Intl`")]
fn intl_texts_match_node(case: &Case) -> Result<(), Skipped> {
    compare(case, "intl/texts")
}

fn compare(case: &Case, program: &str) -> Result<(), Skipped> {
    let code = case.program();
    let path = guests::folder().join(program).with_extension("js");
    let versions = native::evaluated("console.log(process.versions.cldr, process.versions.unicode)")?;
    if versions != DATA {
        return Err(Skipped(format!("Node has CLDR and Unicode {}, the image {}", versions.trim(), DATA.trim())));
    }
    let expected = native::stdout(Language::JavaScript, &path, &code)?;
    let mut limits = case.limits();
    limits.stdout = 8 * 1024 * 1024;
    limits.cpu_time *= 4;
    limits.timeout *= 4;
    let result = case.builder().limits(limits).build().unwrap().run(&code).unwrap();
    if let Some(error) = &result.error {
        panic!("{}", error.traceback);
    }
    let differences = fs::read_to_string(guests::folder().join("intl/differences.txt")).expect("the list is there");
    let (expected, found): (Vec<_>, Vec<_>) = (expected.lines().collect(), result.stdout.lines().collect());
    assert_eq!(expected.len(), found.len(), "as many lines");
    let known = |line: &str| known(&differences).find(|pattern| line.contains(pattern));
    let differing: Vec<_> = expected.iter().zip(&found).filter(|(node, sandbox)| node != sandbox).collect();
    let listed: BTreeSet<_> = expected.iter().filter_map(|node| known(node)).collect();
    let seen: BTreeSet<_> = differing.iter().filter_map(|(node, _)| known(node)).collect();
    assert_eq!(listed, seen, "all that is listed differs; remove from the list what no longer does");
    let unexpected: Vec<_> = differing
        .iter()
        .filter(|(node, _)| known(node).is_none())
        .map(|(node, sandbox)| format!("node:    {node}\nsandbox: {sandbox}"))
        .collect();
    println!("{}: {} lines", program, expected.len());
    assert!(
        unexpected.is_empty(),
        "{} lines of {program} differ:\n{}",
        unexpected.len(),
        unexpected.into_iter().take(30).collect::<Vec<_>>().join("\n")
    );
    Ok(())
}

/// A part of each line that differs. The list has the reason after it.
fn known(differences: &str) -> impl Iterator<Item = &str> {
    let lines = differences.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" => ")).map(|(pattern, _)| pattern)
}
