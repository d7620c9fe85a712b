//! Starts the server of this user when a command needs it.

use std::{
    fs,
    io::{self, Read as _},
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Child, Command, Stdio},
};

use tokio::net::UnixStream;

use super::{Failure, place};
use crate::again;

/// Time without requests, runs and live guests after which a server that a command started ends. Its sandboxes are saved then.
const IDLE: &str = "1h";

/// Makes sure that a server listens on the socket.
pub(super) async fn ensure(socket: &Path) -> Result<(), Failure> {
    if UnixStream::connect(socket).await.is_ok() {
        return Ok(());
    }
    let failed =
        |error: io::Error| Failure::new("Io", format!("cannot start a server: {error}"), "start `isolette serve`");
    let state = place::state()?;
    let folder = state.parent().unwrap_or(&state).to_owned();
    // Commands that run at the same time start one server.
    let lock = tokio::task::spawn_blocking(move || {
        fs::create_dir_all(&folder)?;
        let lock = fs::File::create(folder.join("service.lock"))?;
        lock.lock().map(|()| lock)
    });
    let _lock = lock.await.map_err(|error| failed(io::Error::other(error)))?.map_err(failed)?;
    if UnixStream::connect(socket).await.is_ok() {
        return Ok(());
    }
    let log = state.with_file_name("service.log");
    let mut child = start(socket, &state, &log).map_err(failed)?;
    let Some(mut stdout) = child.stdout.take() else { return Err(failed(io::ErrorKind::BrokenPipe.into())) };
    // It prints its URL when it listens, and closes its output if it ends.
    let mut url = [0; 5];
    if tokio::task::spawn_blocking(move || stdout.read_exact(&mut url).is_ok()).await.unwrap_or(false) {
        say!("isolette: started a server (process {}, messages in {})", child.id(), log.display());
        return Ok(());
    }
    let text = fs::read_to_string(&log).unwrap_or_default();
    let last = text.trim_end().rsplit("error: ").next().unwrap_or_default();
    let (message, hint) = last.split_once("\nhint: ").unwrap_or((last, ""));
    Err(Failure::new("Unavailable", format!("the server did not start: {message}"), hint))
}

fn start(socket: &Path, state: &Path, log: &Path) -> io::Result<Child> {
    let messages = fs::File::create(log)?;
    let [program, arguments @ ..] = &*again::command()? else { return Err(io::ErrorKind::NotFound.into()) };
    Command::new(program)
        .args(arguments)
        .args(["serve", "--exit-when-idle", IDLE, "--socket"])
        .arg(socket)
        .arg("--state")
        .arg(state)
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(messages)
        // Ctrl-C on the terminal of this command is not for the server.
        .process_group(0)
        .spawn()
}
