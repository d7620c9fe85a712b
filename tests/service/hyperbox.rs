//! What users of hyperbox do, as files: lines for `isolette proxy`, and commands of a shell.
//!
//! A file `hyperbox/NAME.jsonl` has lines for the proxy, and `NAME.replies.jsonl` what it answers. A file `hyperbox/NAME.commands` has
//! commands and what they print. `INSTA_UPDATE=always` writes both: read what it wrote.
//!
//! | line | of `NAME.commands` |
//! |---|---|
//! | `# TEXT` | a comment |
//! | `$ COMMAND` | a command for `sh`, in a folder that all commands of the file share |
//! | `> TEXT` | a line on stdout; `>_ TEXT` is the last one, if it has no end |
//! | `! TEXT` | a line on stderr |
//! | `? NUMBER` | the exit code, if it is not 0 |
//!
//! Identifiers and times are written as `ID` and `TIME`.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use isolette_tests::host_test;

use crate::server::Server;

/// The files with commands, one for each test below.
const COMMANDS: [&str; 5] = ["background", "commands", "languages", "refusals", "sandboxes"];

/// The files with lines for the proxy.
const LINES: [&str; 3] = ["proxy_end_of_input", "proxy_javascript", "proxy_python"];

#[host_test]
fn programs_in_the_background() {
    assert_commands("background");
}

#[host_test]
fn commands_without_a_shell() {
    assert_commands("commands");
}

#[host_test]
fn languages_of_programs() {
    assert_commands("languages");
}

#[host_test]
fn policies_that_are_refused() {
    assert_commands("refusals");
}

#[host_test]
fn sandboxes_and_their_files() {
    assert_commands("sandboxes");
}

#[host_test]
fn lines_for_the_proxy() {
    LINES.into_iter().for_each(assert_lines);
}

#[host_test]
fn every_file_is_used() {
    let mut found: Vec<_> = fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    let lines = LINES.iter().flat_map(|name| [format!("{name}.jsonl"), format!("{name}.replies.jsonl")]);
    let mut expected: Vec<_> = COMMANDS.iter().map(|name| format!("{name}.commands")).chain(lines).collect();
    found.sort();
    expected.sort();
    similar_asserts::assert_eq!(expected, found);
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("service/hyperbox")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares what came out with a file, which it is written to on demand.
fn compare(path: &Path, found: &str) {
    if env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        fs::write(path, found).expect("the file can be written");
    }
    similar_asserts::assert_eq!(expected: read(path), found: found, "{}", path.display());
}

/// Passes a file to the proxy. The sandbox is gone afterwards.
fn assert_lines(name: &str) {
    let server = Server::start(&[]);
    let input = fs::File::open(folder().join(name).with_extension("jsonl")).expect("the file");
    let output = server.command(&["proxy"]).stdin(Stdio::from(input)).output().expect("it ends");
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let replies: String = String::from_utf8_lossy(&output.stdout).lines().map(without_time).collect();
    compare(&folder().join(name).with_extension("replies.jsonl"), &replies);
    assert_eq!(server.get("/v1/health").expect(200)["sandboxes"], 0, "{name}");
}

fn without_time(line: &str) -> String {
    let mut reply: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    if reply["duration_ms"].is_u64() {
        reply["duration_ms"] = "TIME".into();
    }
    format!("{reply}\n")
}

/// Executes the commands of a file.
fn assert_commands(name: &str) {
    let (server, folder_of_commands) = (Server::start(&[]), tempfile::tempdir().expect("a folder"));
    let path = folder().join(name).with_extension("commands");
    let (text, mut found) = (read(&path), String::new());
    for line in text.lines() {
        let is_output =
            ["> ", ">_ ", "! ", "? "].iter().any(|mark| line.starts_with(mark)) || [">", "!"].contains(&line);
        if !is_output {
            found += &format!("{line}\n");
        }
        if let Some(command) = line.strip_prefix("$ ") {
            found += &written(&shell(&server, folder_of_commands.path(), command));
        }
    }
    compare(&path, &found);
}

fn shell(server: &Server, folder: &Path, command: &str) -> Output {
    let isolette = server.command(&[]);
    let programs = Path::new(isolette.get_program()).parent().expect("it is in a folder");
    let path = format!("{}:{}", programs.display(), env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    for (name, value) in isolette.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.args(["-c", command]).current_dir(folder).env("PATH", path).stdin(Stdio::null()).output().expect("sh starts")
}

/// What a command has printed, as a file has it.
fn written(output: &Output) -> String {
    let mut written = String::new();
    let mut add = |mark: char, bytes: &[u8]| {
        for line in String::from_utf8_lossy(bytes).split_inclusive('\n') {
            let (end, text) = line.strip_suffix('\n').map_or(("_", line), |text| ("", text));
            written += format!("{mark}{end} {}", replaced(text)).trim_end();
            written.push('\n');
        }
    };
    add('>', &output.stdout);
    add('!', &output.stderr);
    match output.status.code() {
        Some(0) => {}
        Some(code) => written += &format!("? {code}\n"),
        None => panic!("{}", output.status),
    }
    written
}

/// Replaces identifiers and times.
fn replaced(line: &str) -> String {
    let is_of_word = |character: char| character.is_ascii_alphanumeric() || "_-:.".contains(character);
    let word = |word: &str| {
        let is_id = |(kind, rest): (&str, &str)| ["cmd", "run", "sb", "snap"].contains(&kind) && rest.len() >= 16;
        let kind = word.split_once(['_', '-']).filter(|parts| is_id(*parts)).map(|(kind, _)| kind);
        match kind {
            Some(kind) => format!("{kind}_ID{}", if word.ends_with(':') { ":" } else { "" }),
            None if word.len() >= 20 && word.starts_with("20") && word.ends_with('Z') => "TIME".into(),
            None => word.to_owned(),
        }
    };
    let mut replaced = String::new();
    let mut rest = line;
    while !rest.is_empty() {
        let end = rest.find(|character| !is_of_word(character)).unwrap_or(rest.len());
        replaced += &word(&rest[..end]);
        rest = &rest[end..];
        let next = rest.find(is_of_word).unwrap_or(rest.len());
        replaced += &rest[..next];
        rest = &rest[next..];
    }
    replaced
}
