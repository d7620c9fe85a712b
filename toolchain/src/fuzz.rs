//! `cargo xtask fuzz`: runs the fuzz targets of parsers and checks.
//!
//! The targets have the layout of cargo-fuzz (`fuzz/`) and are built without it: libFuzzer only needs counters in the code,
//! which any compiler can insert. Interesting inputs are kept below the target folder and used again.

use std::{
    collections::VecDeque,
    env,
    fs::{self, File},
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
    sync::Mutex,
    thread,
};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;

use crate::{invocation::Invocation, progress, project::Project, skip::or_skip, tools};

/// The directory, a workspace of its own.
pub(crate) const FOLDER: &str = "fuzz";

/// The targets, one for each file in `fuzz/fuzz_targets`.
const TARGETS: [&str; 12] = [
    "grants",
    "host_calls",
    "http",
    "image",
    "multipart",
    "network",
    "paths",
    "policy",
    "proxy",
    "redaction",
    "tool_arguments",
    "values",
];

/// Flags that insert a counter for each edge, and record comparisons.
const FLAGS: [&str; 8] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg",
    "fuzzing",
    "-Ccodegen-units=1",
];

/// Precedes the name of the file with the input in the output of libFuzzer.
const WRITTEN: &str = "Test unit written to ";

/// The part of the output that is shown when a target found something.
const LINES_SHOWN: usize = 40;
const CHARACTERS_SHOWN: usize = 500;

/// A directory in memory, on machines that have one.
const MEMORY: &str = "/dev/shm";

#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// The targets: grants, host_calls, http, image, multipart, network, paths, policy, proxy, redaction, tool_arguments, values. Default: all,
    /// one for each processor at a time
    #[arg(value_parser = TARGETS)]
    targets: Vec<String>,
    /// Seconds to run each target
    #[arg(long, value_name = "NUMBER", default_value_t = 60)]
    seconds: u32,
}

impl Fuzz {
    pub(crate) fn perform(self, project: &Project) -> Result<()> {
        let Some(compiler) = or_skip("fuzzing", compiler())? else { return Ok(()) };
        let folder = project.target().join(FOLDER);
        if self.targets.is_empty() {
            lint(project, compiler)?;
        }
        let programs = build(project, compiler)?;
        link_images(project, &folder)?;
        let chosen = if self.targets.is_empty() { TARGETS.map(str::to_owned).to_vec() } else { self.targets };
        progress::note(&format!("fuzzing {} for {} s each", chosen.join(", "), self.seconds));
        let queue = Mutex::new(VecDeque::from(chosen));
        let places = thread::available_parallelism().map_or(1, usize::from);
        let work = || -> Result<()> {
            while let Some(target) = queue.lock().ok().and_then(|mut queue| queue.pop_front()) {
                run(project, &folder, &programs.join(&target), &target, self.seconds)?;
            }
            Ok(())
        };
        let ended: Vec<Result<()>> = thread::scope(|scope| {
            let workers: Vec<_> = (0..places).map(|_| scope.spawn(work)).collect();
            workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
        });
        ensure!(ended.len() == places, "a thread of a target panicked");
        ended.into_iter().collect()
    }
}

/// A compiler for C++, the language of libFuzzer: the system's default, or the one that builds the JavaScript image.
fn compiler() -> Result<&'static str> {
    let compiler = ["c++", "clang++"].into_iter().find(|name| tools::find(name).is_some());
    compiler.context("libFuzzer is written in C++, and no C++ compiler is installed\nhint: install clang")
}

/// Builds all targets and returns their directory.
fn build(project: &Project, compiler: &str) -> Result<PathBuf> {
    let machine = machine()?;
    cargo("compile the targets of the fuzzer", project, compiler)
        .args(["build", "--release", "--bins", "--target", machine])
        .hint("the compiler's message is above")
        .run()?;
    Ok(project.target().join(FOLDER).join(machine).join("release"))
}

/// Puts the images, if there are some, where the programs of the targets look for them: sandboxes of `http` need one.
fn link_images(project: &Project, folder: &Path) -> Result<()> {
    let (images, link) = (project.target().join("images"), folder.join("images"));
    if !images.is_dir() {
        progress::note("there are no images, so the target `http` has no sandboxes");
        return Ok(());
    }
    if link.is_symlink() {
        return Ok(());
    }
    std::os::unix::fs::symlink(&images, &link).with_context(|| format!("cannot link {}", link.display()))
}

/// Here and not among the other lints, since it has to compile all dependencies once more.
fn lint(project: &Project, compiler: &str) -> Result<()> {
    cargo("lint the fuzzer", project, compiler)
        .args(["clippy", "--release", "--all-targets", "--target", machine()?])
        .args(["--", "--deny", "warnings"])
        .hint("the lint is named above")
        .run()
}

/// The compiler's name of this machine.
fn machine() -> Result<&'static str> {
    let version = tools::rustc_version()?;
    version.lines().find_map(|line| line.strip_prefix("host: ")).context("the compiler reports no host")
}

/// Cargo in the workspace of the targets.
///
/// Not `--locked`: a change to the dependencies of the host need not update this workspace, and nothing of it is released.
fn cargo(title: &str, project: &Project, compiler: &str) -> Invocation {
    Invocation::cargo(title)
        .env("CXX", compiler)
        .env("CARGO_TARGET_DIR", project.target().join(FOLDER))
        // With a named target, the flags do not apply to build scripts and macros.
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"))
        .directory(project.path(FOLDER))
}

fn run(project: &Project, folder: &Path, program: &Path, target: &str, seconds: u32) -> Result<()> {
    let (corpus, artifacts) = (folder.join("corpus").join(target), folder.join("artifacts").join(target));
    for folder in [&corpus, &artifacts] {
        fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    }
    let seeds = project.path(FOLDER).join("seeds").join(target);
    let log = artifacts.join("log.txt");
    let output = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    // Some targets create a directory for each input, and what ends a target leaves its files behind.
    let place = if Path::new(MEMORY).is_dir() { PathBuf::from(MEMORY) } else { env::temp_dir() };
    let files = place.join(format!("isolette-fuzz-{}-{target}", process::id()));
    fs::create_dir(&files).with_context(|| format!("cannot create {}", files.display()))?;
    let status = Command::new(program)
        .env("TMPDIR", &files)
        .arg(format!("-max_total_time={seconds}"))
        .args(["-timeout=20", "-rss_limit_mb=2048", "-max_len=4096", "-print_final_stats=1"])
        .arg(format!("-artifact_prefix={}/", artifacts.display()))
        .args([&corpus, &seeds])
        // A backtrace would hide the error message in the lines that are shown.
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(output.try_clone()?)
        .stderr(output)
        .status();
    let _ = fs::remove_dir_all(&files);
    let status = status.with_context(|| format!("cannot start {}", program.display()))?;
    let text = String::from_utf8_lossy(&fs::read(&log)?).into_owned();
    if !status.success() {
        bail!(
            "the target `{target}` found something:{}\nhint: `{} FILE` tries an input of {} again",
            finding(&text),
            program.display(),
            artifacts.display(),
        );
    }
    let figure = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.map(|number| number.trim().to_owned()).unwrap_or_default()
    };
    let inputs = figure("stat::number_of_executed_units:");
    let kept = fs::read_dir(&corpus).map_or(0, Iterator::count);
    progress::note(&format!("{target}: {inputs} inputs, {kept} of them kept as interesting, nothing found"));
    Ok(())
}

/// The part of the log that explains a finding without the log and the input: the last lines, from the error message on, and
/// the input.
fn finding(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let first = lines.iter().rposition(|line| line.contains("panicked at")).unwrap_or(0);
    let shown = &lines[first.max(lines.len().saturating_sub(LINES_SHOWN))..];
    let mut text: String = shown.iter().map(|line| format!("\n  {}", clipped(line))).collect();
    let written = shown.iter().find_map(|line| line.split_once(WRITTEN));
    if let Some(Ok(input)) = written.map(|(_, input)| fs::read(input.trim())) {
        text += &format!("\ninput: b\"{}\"", input.escape_ascii());
    }
    text
}

fn clipped(line: &str) -> String {
    match line.char_indices().nth(CHARACTERS_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_has_what_went_wrong_and_the_input() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("crash-1");
        fs::write(&input, b"a\n\xff").unwrap();
        let log = format!(
            "#1\tNEW\nthread panicked at x.rs:1:\nleft: {}\nartifact_prefix='x/'; {WRITTEN}{}\nstat::peak_rss_mb: 1",
            "l".repeat(1000),
            input.display()
        );
        let text = finding(&log);
        assert!(text.starts_with("\n  thread panicked at x.rs:1:\n  left: l"), "{text}");
        assert!(text.contains("ll…\n") && text.ends_with("\ninput: b\"a\\n\\xff\""), "{text}");
    }

    #[test]
    fn a_finding_without_an_input_is_the_end_of_the_log() {
        let log: String = (0..100).map(|line| format!("line {line}\n")).collect();
        let text = finding(&log);
        assert!(text.starts_with("\n  line 60\n") && text.ends_with("\n  line 99"), "{text}");
    }
}
