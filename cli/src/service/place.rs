//! The places of a user's server: its socket and its state.

use std::{
    env,
    path::{Path, PathBuf},
};

use clap::Args;
use isolette::{Error, Secret};

use super::Failure;
use crate::sandbox_options::secret;

/// The server to use. Without it, that of this user, which is started if it does not run.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Server")]
pub(crate) struct ServerOptions {
    /// The server: unix:PATH, or http://HOST:PORT with a token. Default: the variable ISOLETTE_SERVER, else the server of this
    /// user, which is started if it does not run.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// The token for a server at an http or https URL: env:VARIABLE or file:PATH. Default: env:ISOLETTE_TOKEN.
    // Parsed later: clap repeats invalid values, which may be the secret itself.
    #[arg(long, value_name = "SECRET")]
    token: Option<String>,
}

/// The server that requests are sent to.
pub(super) enum Place {
    /// The socket of this user's server, which may be started.
    Own(PathBuf),
    Socket(PathBuf),
    Http {
        url: String,
        token: Secret,
    },
}

impl ServerOptions {
    pub(super) fn place(&self) -> Result<Place, Failure> {
        let named = self.server.clone().or_else(|| env::var("ISOLETTE_SERVER").ok().filter(|url| !url.is_empty()));
        let Some(url) = named else { return Ok(Place::Own(socket()?)) };
        if let Some(path) = url.strip_prefix("unix:") {
            return Ok(Place::Socket(path.into()));
        }
        if !url.starts_with("http://") && !url.starts_with("https://") {
            return Err(Failure::usage(
                format!("`{url}` is not the URL of a server"),
                "name it as unix:PATH or http://HOST:PORT",
            ));
        }
        let token = match &self.token {
            Some(place) => secret("--token", place)?,
            None => secret("--token", "env:ISOLETTE_TOKEN")?,
        };
        Ok(Place::Http { url: url.trim_end_matches('/').to_owned(), token: token.read()? })
    }
}

/// The default folder for the state of a server.
pub(super) fn state() -> Result<PathBuf, Error> {
    let folder = match absolute("XDG_STATE_HOME") {
        Some(folder) => folder,
        None => env::home_dir().filter(|home| home.is_absolute()).ok_or_else(no_home)?.join(".local/state"),
    };
    Ok(folder.join("isolette/service"))
}

/// The default socket of a server.
pub(super) fn socket() -> Result<PathBuf, Error> {
    match absolute("XDG_RUNTIME_DIR").filter(|folder| folder.is_dir()) {
        Some(folder) => Ok(folder.join("isolette/service.sock")),
        None => Ok(socket_in(&state()?)),
    }
}

/// The socket in a folder of state.
pub(super) fn socket_in(state: &Path) -> PathBuf {
    state.join("service.sock")
}

fn absolute(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute())
}

fn no_home() -> Error {
    Error::InvalidArgument {
        message: "this user has no home, in which a server would keep its state".into(),
        hint: "set XDG_STATE_HOME, or name a folder with --state and a socket with --socket".into(),
    }
}
