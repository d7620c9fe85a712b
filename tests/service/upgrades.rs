//! A server whose program is replaced while it runs.

use std::{
    fs,
    io::{self, BufRead as _, BufReader},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use isolette::{Image, Language};
use isolette_tests::{built, host_test};
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::server::RUNTIME;

/// A server whose program has images beside it, and would find none elsewhere.
struct Installed {
    child: Child,
    folder: TempDir,
}

impl Installed {
    fn start() -> Self {
        let original = built("isolette", "isolette-cli");
        // In the same file system, for a hard link.
        let folder = tempfile::tempdir_in(original.parent().expect("a folder")).expect("a folder");
        let bin = folder.path().join("not/so/near/bin");
        fs::create_dir_all(&bin).expect("folders");
        fs::hard_link(&original, bin.join("isolette")).expect("a link");
        let images = Image::find(Language::Python).expect("there is one").directory().to_owned();
        symlink(images.parent().expect("a folder"), bin.join("images")).expect("a link");
        let mut child = Command::new(bin.join("isolette"))
            .args(["serve", "--isolation", "process", "--state"])
            .arg(folder.path().join("state"))
            .arg("--socket")
            .arg(folder.path().join("s"))
            .env("XDG_DATA_HOME", folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut url = String::new();
        BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut url).expect("text");
        assert!(url.starts_with("unix:"), "the server did not start");
        Self { child, folder }
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("not/so/near/bin/isolette")
    }

    fn post(&self, path: &str, body: Value) -> Value {
        let tls = isolette_http::tls_configuration().expect("a processor with AES");
        let client = Client::builder().no_proxy().tls_backend_preconfigured(tls);
        let client = client.unix_socket(self.folder.path().join("s")).build().expect("a client");
        let request = client.post(format!("http://localhost{path}")).body(body.to_string());
        let text = RUNTIME.block_on(async { request.send().await.expect("a response").text().await.expect("text") });
        serde_json::from_str(&text).expect("JSON")
    }

    /// Runs programs in a new sandbox and outside of sandboxes.
    fn works(&self, change: &str) {
        for language in ["python", "javascript"] {
            let made = self.post("/v1/sandboxes", json!({ "language": language }));
            let id = made["id"].as_str().unwrap_or_else(|| panic!("{change}: {made}"));
            let run = self.post(&format!("/v1/sandboxes/{id}/runs"), json!({ "code": "6 * 7" }));
            assert_eq!(run["result"]["value"], 42, "{change}: {run}");
            let run = self.post("/v1/runs", json!({ "code": "6 * 7", "language": language }));
            assert_eq!(run["result"]["value"], 42, "{change}: {run}");
        }
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Puts another program in the place of a program, which cannot be written to while it runs.
fn replace(program: &Path) -> io::Result<()> {
    let next = program.with_file_name("next");
    fs::copy("/proc/self/exe", &next)?;
    fs::rename(&next, program)
}

fn move_away(program: &Path) -> io::Result<()> {
    fs::rename(program, program.ancestors().nth(3).expect("folders").join("isolette.before"))
}

/// The server starts guests for the first time after its program was changed.
fn works_after(change: &str, make: impl Fn(&Path) -> io::Result<()>) {
    let server = Installed::start();
    make(&server.program()).expect("it can be changed");
    server.works(change);
}

#[host_test]
fn a_server_goes_on_when_its_program_is_replaced() {
    works_after("replaced", replace);
    works_after("removed", |program| fs::remove_file(program));
    works_after("moved", move_away);
}
