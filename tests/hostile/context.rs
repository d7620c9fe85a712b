//! The guest context of hostile programs: some of everything that a sandbox can provide, with short limits, and files and
//! servers outside of it that no program may reach.

use std::{fs, os::unix::fs::symlink, path::Path, time::Duration};

use isolette::{ExecutionResult, HeaderSecret, RunOptions, Sandbox, policy::Limits};
use isolette_tests::{Case, engines};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::servers::Servers;

/// The timeout of a program that ends by itself, on a busy machine too, unless its processor is emulated.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(120);

/// The host adds it to requests to the allowed server. A program must not get it.
const SECRET: &str = "hunter2-is-nowhere";

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Forecast {
    city: String,
    days: Option<u8>,
}

pub(crate) struct GuestContext {
    folder: TempDir,
    servers: Servers,
    limits: Limits,
    sandbox: Option<Sandbox>,
    case: Case,
}

impl GuestContext {
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
        self.sandbox.as_ref().expect("the sandbox exists until the context is dropped")
    }

    /// The next program finds nothing of an earlier one, and everything works.
    pub(crate) fn assert_unchanged(&self, sandbox: &Sandbox) {
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
        let options = RunOptions::new().timeout(TIMEOUT);
        let result = sandbox.run_with(code, options).unwrap_or_else(|error| panic!("the next program: {error}"));
        assert_eq!(result.value, Some(json!([false, 2, 3, "notes"])), "{result:?}");
    }

    /// No part of the result is longer than its limit, and no part contains what the program must not learn.
    pub(crate) fn assert_within_limits(&self, result: &ExecutionResult) {
        let Limits { stdout, stderr, value, error: error_limit, memory, .. } = self.limits.clone();
        // A byte that is not UTF-8 is shown as a character of three bytes.
        assert!(result.stdout.len() as u64 <= stdout * 3 && result.stderr.len() as u64 <= stderr * 3);
        assert!(result.value.as_ref().map_or(0, |value| value.to_string().len()) as u64 <= value * 2);
        if let Some(error) = &result.error {
            assert!(
                error.kind.len() <= 1024 && error.message.len() as u64 <= error_limit,
                "{} bytes",
                error.message.len()
            );
            assert!(error.traceback.len() as u64 <= error_limit, "{} bytes of traceback", error.traceback.len());
        }
        assert!(result.usage.memory_peak_bytes <= memory, "{:?}", result.usage);
        assert!(result.calls.len() as u64 <= self.limits.calls_recorded);
        assert!(result.files.iter().map(|file| file.size).sum::<u64>() <= self.limits.file_total_bytes);
        let all = serde_json::to_string(result).expect("an outcome is JSON");
        assert!(!all.contains("top secret") && !all.contains("root:x:") && !all.contains("you should not be here"));
        // In output, value, error and calls, and below in regular files.
        assert!(!all.contains(SECRET), "the program learned the secret: {all}");
        for file in &result.files {
            let written = result.read_output(&file.path, self.limits.file_total_bytes).unwrap_or_default();
            let found = written.windows(SECRET.len()).any(|window| window == SECRET.as_bytes());
            assert!(!found, "the program wrote the secret into {}", file.path);
        }
    }

    pub(crate) fn assert_nothing_was_reached(&self) {
        assert_eq!(self.servers.closed_connections(), 0, "the program connected to a server that no rule allows");
        let names: Vec<_> = fs::read_dir(self.folder.path().join("input")).expect("the mount").collect();
        assert_eq!(names.len(), PLANTED, "{names:?}");
    }
}

/// The timeout of a program that may run until it: an interpreter reaches the program within it.
pub(crate) fn timeout_of_endless() -> Duration {
    Duration::from_secs(if engines::emulated() { 4 } else { 1 })
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.memory = 96 << 20;
    (limits.stdout, limits.stderr, limits.value, limits.error) = (64 << 10, 64 << 10, 64 << 10, 16 << 10);
    limits.payload = 8 << 20;
    // On an emulated processor a program takes up to twenty-five times as long.
    limits.cpu_time *= if engines::emulated() { 20 } else { 1 };
    (limits.tool_calls, limits.http_requests, limits.calls_recorded) = (50, 50, 20);
    limits.http_body = 1 << 20;
    limits.http_request_time = timeout_of_endless() / 4;
    (limits.file_bytes, limits.file_total_bytes) = (1 << 20, 4 << 20);
    (limits.file_count, limits.file_depth) = (200, 8);
    limits
}

/// Entries of the folder that programs see as `/input`.
const PLANTED: usize = 9;

/// A file to read, and links and a pipe that lead out of the mount.
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
