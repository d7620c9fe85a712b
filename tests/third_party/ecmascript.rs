//! A sample of test262, the official tests of ECMAScript: every ninth file, in the order of their names, so that the sample is
//! always the same. The package with the tests has the edition of 2017.
//!
//! Tests of modules, second realms and threads are excluded: a sandbox has no second realm and no threads.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
    time::Duration,
};

use isolette::{Isolation, Language, Sandbox};
use isolette_tests::{Case, Outcome as _, Skipped, libtest_mimic::Trial, report};

use crate::{differences::Differences, downloaded, folder};

/// One of this many files is run.
const SAMPLE: usize = 9;

/// The timeout of a test. It only matters if one hangs.
const TIME: Duration = Duration::from_secs(300);

/// Tables of an older Unicode version, and parts of modules.
const OTHER_FILES: [&str; 2] = ["property-escapes/generated", "_FIXTURE"];

/// Features that do not exist in a sandbox, or that later editions removed.
const LEFT_OUT: [&str; 8] =
    ["$262", "$.", "$DETACHBUFFER", "Atomics", "SharedArrayBuffer", "tail-call-optimization", "import(", "timer.js"];

const PARTS: [&str; 6] = [
    "test/built-ins/[A-M]",
    "test/built-ins/[N-R]",
    "test/built-ins/[S-Z]",
    "test/language/expressions",
    "test/language/statements",
    "test/language/others",
];

pub(crate) fn trials() -> Vec<Trial> {
    PARTS.map(|part| report::trial(format!("ecmascript::{part}"), move || compare(part).completion())).into()
}

fn part_of(name: &str) -> &'static str {
    let initial = |folder: &str| name.strip_prefix(folder).and_then(|rest| rest.chars().next());
    match initial("test/built-ins/") {
        Some('S'..='Z') => PARTS[2],
        Some('N'..='R') => PARTS[1],
        Some(_) => PARTS[0],
        None if name.starts_with(PARTS[3]) => PARTS[3],
        None if name.starts_with(PARTS[4]) => PARTS[4],
        None => PARTS[5],
    }
}

fn root() -> PathBuf {
    downloaded("_gerhobbelt_test262")
}

fn sample() -> &'static [String] {
    static SAMPLED: OnceLock<Vec<String>> = OnceLock::new();
    SAMPLED.get_or_init(|| {
        let mut files = Vec::new();
        collect(&root().join("test"), &mut files);
        files.sort();
        let is_wanted = |name: &String| !OTHER_FILES.iter().any(|other| name.contains(other));
        files.into_iter().step_by(SAMPLE).filter(is_wanted).collect()
    })
}

fn collect(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "js") {
            let name = path.strip_prefix(root()).expect("it was found below");
            files.push(name.to_str().expect("names of tests are UTF-8").to_owned());
        }
    }
}

fn compare(part: &str) -> Result<(), Skipped> {
    static DIFFERENCES: OnceLock<Differences> = OnceLock::new();
    if sample().is_empty() {
        return Err(Skipped("test262 is not there: `cargo xtask setup` gets it".into()));
    }
    let differences = DIFFERENCES.get_or_init(|| Differences::read(&folder().join("ecmascript/differences.txt")));
    let mut limits = Case::new(Language::JavaScript, Isolation::Wasm).limits();
    (limits.timeout, limits.cpu_time) = (TIME, TIME);
    let sandbox = Sandbox::builder()
        .language(Language::JavaScript)
        .isolation(Isolation::Wasm)
        .limits(limits)
        .build()
        .expect("a sandbox for test262");
    let mut found = BTreeMap::new();
    let mut count = 0.0;
    for name in sample().iter().filter(|name| part_of(name) == part) {
        let source = fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let test = Test::of(&source);
        if test.flags.contains("module") || LEFT_OUT.iter().any(|what| source.contains(what)) {
            continue;
        }
        count += 1.0;
        if let Err(said) = test.run(&sandbox) {
            found.insert(name.clone(), said);
        }
    }
    report::measured("tests", count);
    differences.assert("fails", &found, |name| part_of(name) == part);
    Ok(())
}

/// A file, with the content of its header.
struct Test<'a> {
    source: &'a str,
    flags: &'a str,
    includes: Vec<&'a str>,
    /// The type of the expected error.
    negative: Option<&'a str>,
}

impl<'a> Test<'a> {
    fn of(source: &'a str) -> Self {
        let head =
            source.split_once("/*---").and_then(|(_, rest)| rest.split_once("---*/")).map_or("", |(head, _)| head);
        let line = |key: &str| head.lines().find_map(|line| line.trim_start().strip_prefix(key)).unwrap_or_default();
        let includes = match line("includes:").trim() {
            "" => head
                .lines()
                .skip_while(|line| !line.starts_with("includes:"))
                .skip(1)
                .map_while(|line| line.trim().strip_prefix("- "))
                .collect(),
            list => list.trim_matches(['[', ']']).split(',').map(str::trim).collect(),
        };
        let negative = head.contains("negative:").then(|| line("type:").trim());
        Self { source, flags: line("flags:"), includes, negative }
    }

    fn run(&self, sandbox: &Sandbox) -> Result<(), String> {
        let mut code = String::new();
        if self.flags.contains("onlyStrict") {
            code.push_str("\"use strict\";\n");
        }
        if !self.flags.contains("raw") {
            code.push_str("var print = console.log;\n");
            for file in ["assert.js", "sta.js", "doneprintHandle.js"].iter().chain(&self.includes) {
                code.push_str(harness(file));
                code.push('\n');
            }
        }
        code.push_str(self.source);
        let result = sandbox.run(&code).map_err(|error| format!("it ended the guest: {error}"))?;
        match (&result.error, self.negative) {
            (None, None) if self.flags.contains("async") && !result.stdout.contains("Test262:AsyncTestComplete") => {
                Err(format!("it is not complete: {}", result.stdout))
            }
            (None, None) => Ok(()),
            (Some(error), None) => Err(format!("{}: {}", error.kind, error.message.lines().next().unwrap_or_default())),
            (Some(error), Some(kind)) if error.kind == kind => Ok(()),
            (Some(error), Some(kind)) => Err(format!("expected {kind}, found {}: {}", error.kind, error.message)),
            (None, Some(kind)) => Err(format!("expected {kind}, found none")),
        }
    }
}

fn harness(file: &str) -> &'static str {
    static HARNESS: OnceLock<BTreeMap<String, String>> = OnceLock::new();
    let files = HARNESS.get_or_init(|| {
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(root().join("harness")).expect("the harness of test262") {
            let path = entry.expect("an entry of a folder").path();
            let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
            files.insert(name, fs::read_to_string(path).expect("a harness is text"));
        }
        files
    });
    files.get(file).map_or("", String::as_str)
}
