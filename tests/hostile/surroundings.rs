//! What every hostile program finds: a little of everything that can be lent, with short limits, and traps around it.

use std::{fs, os::unix::fs::symlink, path::Path, time::Duration};

use isolette::{ExecutionResult, HeaderSecret, RunOptions, Sandbox, policy::Limits};
use isolette_tests::{Case, engines};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{PATIENCE, TIME, servers::Servers};

/// The host adds it to requests to the open server. A program may not learn it by any means.
const SECRET: &str = "hunter2-is-nowhere";

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[expect(dead_code, reason = "nobody reads what only has to fit")]
struct Forecast {
    city: String,
    days: Option<u8>,
}

pub(crate) struct Surroundings {
    folder: TempDir,
    servers: Servers,
    limits: Limits,
    sandbox: Option<Sandbox>,
    case: Case,
}

impl Surroundings {
    pub(crate) fn new(case: &Case) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        plant(folder.path());
        let servers = Servers::start();
        let limits = limits();
        let typed = |_: Forecast| Ok::<_, String>(SECRET.len());
        let sandbox = case
            .builder()
            .limits(limits.clone())
            .input_dir(folder.path().join("input"))
            .temp_output()
            .allow(&servers.open())
            .secret(HeaderSecret::new("api", SECRET, &servers.open()).expect("a secret for the open server"))
            .variable("OPEN", servers.open())
            .variable("OPEN_PORT", servers.open_port())
            .variable("CLOSED_PORT", servers.closed_port())
            .tool_typed("echo", "Gives back what it gets", |value: Value| Ok::<_, String>(value))
            .tool_typed("typed", "A forecast", typed)
            .build()
            .expect("a sandbox");
        Self { folder, servers, limits, sandbox: Some(sandbox), case: *case }
    }

    pub(crate) fn sandbox(&self) -> &Sandbox {
        self.sandbox.as_ref().expect("it is there until the end")
    }

    /// The next program finds none of what another may have left, and everything works.
    pub(crate) fn assert_untouched(&self, sandbox: &Sandbox) {
        let code = self.case.pick(
            "import builtins, json, math, os, random, sys\n\
             leaks = [hasattr(builtins, 'leak'), hasattr(sys, 'leak'), 'leak' in globals(), 'leak' in sys.modules,\n\
                      math.pi < 3.1, json.dumps(1) != '1', os.listdir('/tmp') != [], os.listdir('/output') != []]\n\
             result = [any(leaks), 1 + 1, call_tool('echo', value=3)['value'], open('/input/notes.txt').read()]",
            "const fs = await import('fs');\n\
             const leaks = ['leak' in globalThis, 'leak' in {}, 'leak' in Array, [1].map((n) => n + 1)[0] !== 2,\n\
                            JSON.stringify([1]) !== '[1]', fs.readdirSync('/tmp').length > 0, fs.readdirSync('/output').length > 0];\n\
             result = [leaks.includes(true), 1 + 1, call_tool('echo', { value: 3 }).value, fs.readFileSync('/input/notes.txt', 'utf8')];",
        );
        let options = RunOptions::new().timeout(PATIENCE);
        let result = sandbox.run_with(code, options).unwrap_or_else(|error| panic!("the next program: {error}"));
        assert_eq!(result.value, Some(json!([false, 2, 3, "notes"])), "{result:?}");
    }

    /// Nothing of what came out is longer than it may be, and none of it is what must not come out.
    pub(crate) fn assert_within_limits(&self, result: &ExecutionResult) {
        let Limits { stdout, stderr, value, error, memory, .. } = self.limits.clone();
        // A byte that is no text is shown by a sign of three bytes.
        assert!(result.stdout.len() as u64 <= stdout * 3 && result.stderr.len() as u64 <= stderr * 3);
        assert!(result.value.as_ref().map_or(0, |value| value.to_string().len()) as u64 <= value * 2);
        if let Some(told) = &result.error {
            assert!(told.kind.len() <= 1024 && told.message.len() as u64 <= error, "{} bytes", told.message.len());
            assert!(told.traceback.len() as u64 <= error, "{} bytes of traceback", told.traceback.len());
        }
        assert!(result.usage.memory_peak_bytes <= memory, "{:?}", result.usage);
        assert!(result.calls.len() as u64 <= self.limits.calls_recorded);
        assert!(result.files.iter().map(|file| file.size).sum::<u64>() <= self.limits.file_total_bytes);
        let all = serde_json::to_string(result).expect("an outcome is JSON");
        assert!(!all.contains("top secret") && !all.contains("root:x:") && !all.contains("you should not be here"));
        // In output, value, error and calls; and in files, as far as they are files.
        assert!(!all.contains(SECRET), "a program has got hold of the secret: {all}");
        for file in &result.files {
            let written = result.read_output(&file.path, self.limits.file_total_bytes).unwrap_or_default();
            let found = written.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
            assert!(!found, "a program has written the secret into {}", file.path);
        }
    }

    pub(crate) fn assert_nobody_was_reached(&self) {
        assert_eq!(self.servers.closed_connections(), 0, "somebody connected to what no rule allows");
        let names: Vec<_> = fs::read_dir(self.folder.path().join("input")).expect("the mount").collect();
        assert_eq!(names.len(), PLANTED, "{names:?}");
    }
}

/// Long enough for an interpreter to get to its program.
pub(crate) fn endless() -> Duration {
    TIME * if engines::emulated() { 8 } else { 1 }
}

pub(crate) fn patience() -> Duration {
    PATIENCE * if engines::emulated() { 5 } else { 1 }
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.memory = 96 << 20;
    (limits.stdout, limits.stderr, limits.value, limits.error) = (64 << 10, 64 << 10, 64 << 10, 16 << 10);
    limits.payload = 8 << 20;
    // Where the processor is emulated, what comes to its end takes up to twenty-five times as long.
    limits.cpu_time *= if engines::emulated() { 20 } else { 1 };
    (limits.tool_calls, limits.http_requests, limits.calls_recorded) = (50, 50, 20);
    limits.http_body = 1 << 20;
    limits.http_request_time = endless() / 4;
    (limits.file_bytes, limits.file_total_bytes) = (1 << 20, 4 << 20);
    (limits.file_count, limits.file_depth) = (200, 8);
    limits
}

/// Entries of the folder that programs see as `/input`.
const PLANTED: usize = 9;

/// A file to read, and ways out that somebody might have left there.
fn plant(folder: &Path) {
    let planted = || -> std::io::Result<()> {
        let input = folder.join("input");
        fs::create_dir_all(input.join("folder"))?;
        fs::write(folder.join("secret.txt"), "top secret")?;
        fs::write(input.join("notes.txt"), "notes")?;
        symlink("/etc", input.join("link_to_etc"))?;
        symlink("/etc/passwd", input.join("absolute"))?;
        symlink("../secret.txt", input.join("relative"))?;
        symlink("relative", input.join("chain"))?;
        symlink("loop", input.join("loop"))?;
        symlink("nothing", input.join("dangling"))?;
        symlink("../..", input.join("folder/up"))?;
        rustix::fs::mknodat(rustix::fs::CWD, input.join("pipe"), rustix::fs::FileType::Fifo, 0o600.into(), 0)?;
        Ok(())
    };
    planted().expect("a folder with traps");
}
