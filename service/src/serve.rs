//! Binds an address, and serves it until the shutdown.

use std::{
    collections::HashSet,
    fs, io,
    net::SocketAddr,
    os::unix::fs::{FileTypeExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use isolette::{CancellationToken, Error};
use isolette_listener::{
    Connections, Incoming, Listener, Peer, accept,
    access::is_plain,
    responses::{Outgoing, admit},
};
use tokio::net::{TcpListener, UnixListener};
use tower::ServiceExt as _;

use crate::{
    E2bDomain, Service, Token,
    api::{self, addressed::AddressedAs, e2b, forward::is_passed_on},
    caller,
    caller::Caller,
    failure::Failure,
    shared::Shared,
};

/// Time for connections to end after the last run has ended. Streams of events have ended by then, except for those of paused runs, and
/// responses were sent, except to clients that do not read. Those connections are closed.
const CLOSING: Duration = Duration::from_secs(2);

/// The address of a service, and its callers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Address {
    /// A Unix socket at this path, which only the user of this process can open. A socket that no process listens on is replaced.
    Socket(PathBuf),
    /// An address of this machine, for callers with a token.
    Tcp {
        /// The interface and the port; with port 0 the system picks a port.
        address: SocketAddr,
        /// The tokens that callers must have one of. There must be at least one.
        tokens: Vec<Token>,
    },
}

/// A service with a bound address, which answers once it is run.
#[derive(Debug)]
pub struct BoundService {
    service: Service,
    listener: Listener,
    tokens: Vec<Token>,
    /// The domain of sandboxes for E2B's clients.
    domain: Option<E2bDomain>,
    /// Removed when the service ends.
    socket: Option<PathBuf>,
    url: String,
}

impl Service {
    /// Binds an address. To be called on a runtime of Tokio.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] if another process listens there, if there is no token for an address, or if a token has no
    /// caller or the reserved one `user`; [`Error::Io`].
    pub fn bind(&self, address: Address) -> Result<BoundService, Error> {
        let service = self.clone();
        match address {
            Address::Socket(path) => {
                if self.shared.resources.replicas.is_some() {
                    return Err(Error::invalid(
                        "servers that share a store reach each other over HTTP, and this one listens on a socket",
                        "name an address: --http ADDRESS:PORT",
                    ));
                }
                let listener = bind_socket(&path)?;
                let url = format!("unix:{}", path.display());
                Ok(BoundService {
                    service,
                    listener: Listener::Unix(listener),
                    tokens: Vec::new(),
                    domain: None,
                    socket: Some(path),
                    url,
                })
            }
            Address::Tcp { address, tokens } => {
                check(&tokens)?;
                let callers: HashSet<_> = tokens.iter().map(|token| token.caller.as_str()).collect();
                service.shared.resources.store.blobs.room.set_callers(callers.len());
                let failed = |error| Error::io(format!("cannot listen on {address}"), error);
                let listener = std::net::TcpListener::bind(address).map_err(failed)?;
                listener.set_nonblocking(true).map_err(failed)?;
                let listener = TcpListener::from_std(listener).map_err(failed)?;
                let url = format!("http://{}", listener.local_addr().map_err(failed)?);
                if let Some(replicas) = &self.shared.resources.replicas {
                    replicas.listens_at(&url);
                }
                Ok(BoundService { service, listener: Listener::Tcp(listener), tokens, domain: None, socket: None, url })
            }
        }
    }
}

fn check(tokens: &[Token]) -> Result<(), Error> {
    if tokens.is_empty() {
        return Err(Error::invalid(
            "everyone who can reach the address could run programs: there is no token",
            "name a token, or listen on a Unix socket",
        ));
    }
    let is_usable = |token: &&Token| crate::id::is_name(&token.caller) && token.caller != caller::USER;
    match tokens.iter().find(|token| !is_usable(token)) {
        Some(token) => Err(Error::invalid(
            format!("`{}` cannot be the name of a caller", token.caller.escape_debug()),
            "use up to 64 letters, digits, `-`, `_` and `.`, and not `user`",
        )),
        None => Ok(()),
    }
}

/// Binds a socket that only this user can open.
fn bind_socket(path: &Path) -> Result<UnixListener, Error> {
    let failed = |error| Error::io(format!("cannot listen on `{}`", path.display()), error);
    if let Ok(found) = fs::symlink_metadata(path) {
        if !found.file_type().is_socket() {
            return Err(Error::invalid(
                format!("`{}` exists and is not a socket", path.display()),
                "name another path, or remove it",
            ));
        }
        if std::os::unix::net::UnixStream::connect(path).is_ok() {
            return Err(Error::invalid(
                format!("another process listens on `{}`", path.display()),
                "use that server, end it, or name another path",
            ));
        }
        fs::remove_file(path).map_err(failed)?;
    }
    // Bound in a folder that no other user can enter, and then moved: at its path it is never open to others.
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(failed)?;
    let private = tempfile::Builder::new().prefix(".bind-").tempdir_in(parent).map_err(failed)?;
    let draft = private.path().join("s");
    let listener = UnixListener::bind(&draft).map_err(failed)?;
    fs::set_permissions(&draft, fs::Permissions::from_mode(0o600)).map_err(failed)?;
    fs::rename(&draft, path).map_err(failed)?;
    Ok(listener)
}

impl BoundService {
    /// The URL at which callers reach it: `unix:PATH` or `http://ADDRESS:PORT`.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Sets the domain below which sandboxes are hosts for E2B's clients: `49999-sb-….DOMAIN`. By default it is the host and the port
    /// with which a client has addressed the service, and sandboxes are found below every domain.
    #[must_use]
    pub fn e2b_domain(mut self, domain: E2bDomain) -> Self {
        self.domain = Some(domain);
        self
    }

    /// Answers requests until `shutdown` is cancelled. Then it accepts no more requests, lets runs in flight end within
    /// [`ServiceLimits::drain`](crate::ServiceLimits::drain), and saves all sandboxes. The service is of no use afterwards.
    pub async fn run(self, shutdown: CancellationToken) {
        let Self { service, listener, tokens, domain, socket, .. } = self;
        let (tokens, domain): (Arc<[Token]>, Arc<Option<E2bDomain>>) = (tokens.into(), Arc::new(domain));
        let router = api::router(&service.shared);
        let limits = &service.shared.resources.limits;
        let connections = Connections::new(limits.connections, limits.send_time);
        if let Some(replicas) = &service.shared.resources.replicas
            && let Err(failure) = replicas.note().await
        {
            tracing::warn!("the shared store cannot be used yet: {}", failure.detail().message);
        }
        let used = service.clone();
        let handle = move |peer, request| {
            used.is_used();
            let shared = Arc::clone(&used.shared);
            let answered = answer(router.clone(), shared, (Arc::clone(&tokens), Arc::clone(&domain)), peer, request);
            async move { admitted(answered.await).await }
        };
        tokio::select! {
            () = accept(&listener, &connections, handle) => {}
            () = service.keep_house() => {}
            () = service.stay() => {}
            () = shutdown.cancelled() => {}
        }
        if let Some(socket) = &socket {
            let _ = fs::remove_file(socket);
        }
        drop(listener);
        tokio::select! {
            () = service.stop() => {}
            // The other servers wait while this one saves its sandboxes.
            () = service.stay() => {}
        }
        service.close().await;
        connections.close(CLOSING).await;
    }
}

/// A response that there is memory for, or the refusal of the request.
async fn admitted(response: Response) -> Response<Outgoing<Body>> {
    match admit(response).await {
        Ok(response) => response,
        Err(why) => Failure::no_room(&why).into_response().map(Outgoing::short),
    }
}

async fn answer(
    router: Router,
    shared: Arc<Shared>,
    (tokens, domain): (Arc<[Token]>, Arc<Option<E2bDomain>>),
    peer: Peer,
    mut request: Request<Incoming>,
) -> Response {
    if let Err((status, text)) = is_plain(&request) {
        return Failure::new(status, "BadRequest", text.trim_end(), "send each header once").into_response();
    }
    let domain = Option::as_ref(&domain);
    let addressed_as = AddressedAs::of(request.headers(), domain, is_passed_on(request.headers()));
    if let Err(refusal) = e2b::resolve(&mut request, domain).and_then(|()| e2b::resolve_signed(&shared, &mut request)) {
        return refusal.into_response();
    }
    let is_e2b = request.uri().path().strip_prefix(e2b::PATH).is_some_and(|rest| rest.starts_with('/'));
    let caller = match peer {
        Peer::Unix => Some(Caller::user()),
        Peer::Tcp(_) => match of_tcp(request.headers(), &tokens) {
            Ok(caller) => Some(caller),
            // E2B's clients have other headers; its routes decide.
            Err(_) if is_e2b => Caller::of_api_key(request.headers(), &tokens),
            Err(_) if api::is_public(&request) => None,
            Err(failure) => return failure.into_response(),
        },
    };
    let mut request = request.map(|body| Body::new(body.map_err(io::Error::other)));
    request.extensions_mut().insert(addressed_as);
    if let Some(caller) = caller {
        request.extensions_mut().insert(caller);
    }
    match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

fn of_tcp(headers: &HeaderMap, tokens: &[Token]) -> Result<Caller, Failure> {
    Caller::of_token(headers, tokens).ok_or_else(|| {
        let hint = "send `Authorization: Bearer TOKEN`, with a token that the operator has set";
        Failure::new(StatusCode::UNAUTHORIZED, "Unauthorized", "the request has no token of this server", hint)
    })
}
