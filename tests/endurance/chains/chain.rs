//! One program that waits in a file again and again, and is continued by other processes, some of which are killed.

use std::{
    fmt::Write as _,
    fs,
    os::unix::{fs::MetadataExt as _, process::ExitStatusExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use isolette_tests::{Case, isolette, transcript};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::random::Random;

/// Exit code of a program that is paused.
const PAUSED: i32 = 106;

/// When a process is killed, if it has not ended by then.
#[derive(Clone, Copy, Debug)]
enum Kill {
    Never,
    /// This long after its start.
    After(Duration),
    /// Once it has written the file.
    Saved,
}

/// How many processes were killed, by the file that they left.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kills {
    pub(super) before: u32,
    pub(super) after: u32,
}

impl std::ops::Add for Kills {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { before: self.before + other.before, after: self.after + other.after }
    }
}

pub(super) struct Chain {
    case: Case,
    folder: PathBuf,
    file: PathBuf,
    pauses: u32,
    random: Random,
    /// How long the last process took that was not killed.
    usual: Duration,
    kills: Kills,
}

impl Chain {
    /// `folder` has the user's key, and the file of each chain, named after its number of pauses.
    pub(super) fn new(case: &Case, folder: &Path, pauses: u32) -> Self {
        Self {
            case: *case,
            folder: folder.to_owned(),
            file: folder.join(format!("{pauses}.paused")),
            pauses,
            random: Random::new(pauses.into()),
            usual: Duration::from_millis(100),
            kills: Kills::default(),
        }
    }

    /// Answers until the program has ended, and checks its output.
    pub(super) fn complete(&mut self) -> Kills {
        let mut asked = None;
        loop {
            let kill = self.next_kill(asked);
            let began = Instant::now();
            let output = self.run(asked, kill);
            match output.status.code() {
                None => asked = self.found(asked, &output),
                Some(PAUSED) => {
                    self.usual = began.elapsed();
                    let index = next(asked);
                    let call = format!("call {}: ask {{\"index\":{index}}}\n", index + 1);
                    assert_eq!(String::from_utf8_lossy(&output.stdout), call, "{}", transcript(&output));
                    asked = Some(index);
                }
                Some(0) => {
                    assert_eq!(next(asked), self.pauses, "{}", transcript(&output));
                    assert_eq!(String::from_utf8_lossy(&output.stdout), self.expected());
                    return self.kills;
                }
                Some(_) => panic!("after call {asked:?}, killed {kill:?}: {}", transcript(&output)),
            }
        }
    }

    /// Some of the processes are killed, between their start and a moment after their end.
    fn next_kill(&mut self, asked: Option<u32>) -> Kill {
        let most = u64::try_from(self.usual.as_micros()).unwrap_or(u64::MAX);
        let moment = Duration::from_micros(self.random.below(most + most / 8 + 1));
        match self.random.below(8) {
            // Both happen in each chain.
            _ if self.kills.before == 0 => Kill::After(Duration::ZERO),
            _ if self.kills.after == 0 && asked.is_some() => Kill::Saved,
            0 => Kill::Saved,
            1 | 2 => Kill::After(moment),
            _ => Kill::Never,
        }
    }

    /// Starts the program, or answers its last call.
    fn run(&self, asked: Option<u32>, kill: Kill) -> Output {
        let file = self.file.to_str().unwrap();
        let mut command = self.command();
        match asked {
            None => {
                let (language, count) = (self.case.language.to_string(), format!("COUNT={}", self.pauses));
                let program = self.case.pick(include_str!("program.py"), include_str!("program.js"));
                command.args(["run", "--pause-on", "ask", "--save", file, "--lang", &language, "--var", &count]);
                command.args(["-c", program]);
            }
            Some(index) => {
                command.args(["resume", file, "--answer", &answer(index).to_string()]);
            }
        }
        command.args(["--isolation", "process", "--timeout", "10m"]);
        let before = self.version();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let has_ended = |child: &mut Child| child.try_wait().unwrap().is_some();
        match kill {
            Kill::Never => {}
            Kill::After(time) => thread::sleep(time),
            Kill::Saved => {
                while self.version() == before && !has_ended(&mut child) {
                    thread::yield_now();
                }
            }
        }
        if !matches!(kill, Kill::Never) {
            child.kill().unwrap();
        }
        child.wait_with_output().unwrap()
    }

    /// The call that the program waits for in the file that a killed process left: the last one, or the next one, and the next
    /// one if the process had reported it.
    fn found(&mut self, asked: Option<u32>, output: &Output) -> Option<u32> {
        assert_eq!(output.status.signal(), Some(9), "{}", transcript(output));
        let (found, next) = (self.saved_index(), next(asked));
        // After the last answer there is no next file.
        let reported = output.stdout.ends_with(b"\n") && next < self.pauses;
        assert!(found == Some(next) || (found == asked && !reported), "{asked:?}, {found:?}: {}", transcript(output));
        *(if found == asked { &mut self.kills.before } else { &mut self.kills.after }) += 1;
        found
    }

    /// The call that the program in the file waits for. `None` without a file.
    fn saved_index(&self) -> Option<u32> {
        if !self.file.exists() {
            return None;
        }
        let shown = self.command().args(["resume", "--show", "--json"]).arg(&self.file).output().unwrap();
        let list: Value = serde_json::from_slice(&shown.stdout).unwrap_or_else(|_| panic!("{}", transcript(&shown)));
        let index = list["paused"][0]["arguments"]["index"].as_u64().and_then(|index| u32::try_from(index).ok());
        let index = index.unwrap_or_else(|| panic!("{list}"));
        let call = &list["paused"][0];
        assert_eq!(list["paused"].as_array().map(Vec::len), Some(1), "{list}");
        assert_eq!((&call["id"], &call["asks"], &call["target"]), (&json!(index + 1), &json!("result"), &json!("ask")));
        assert_eq!(call["arguments"], json!({ "index": index }));
        Some(index)
    }

    fn command(&self) -> Command {
        let mut command = isolette();
        command.env("XDG_STATE_HOME", &self.folder);
        command
    }

    /// A number that another version of the file has not.
    fn version(&self) -> Option<(u64, i64)> {
        fs::metadata(&self.file).ok().map(|file| (file.ino(), file.mtime_nsec()))
    }

    /// What the program prints.
    fn expected(&self) -> String {
        let answers = (0..self.pauses).map(answer);
        let total = answers.fold(0, |total, answer| (total * 31 + answer) % 1_000_003);
        let mut text = String::new();
        for index in 0..self.pauses {
            write!(text, "{index}:{};", answer(index)).unwrap();
        }
        format!("{total} {}\n", hex::encode(Sha256::digest(text)))
    }
}

/// The number of the call after this one.
fn next(asked: Option<u32>) -> u32 {
    asked.map_or(0, |index| index + 1)
}

fn answer(index: u32) -> u32 {
    (index * 7919 + 13) % 10_007
}
