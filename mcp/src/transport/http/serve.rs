//! Accepts connections, handles their requests, and shuts them down.

use std::{sync::Arc, time::Duration};

use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::BodyExt as _;
use isolette_listener::{
    Connections, Incoming, Listener, Peer, accept,
    access::{Body, has_token, is_plain, refuse},
    body,
    responses::{self, Outgoing, admit},
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::{
    HttpOptions, message,
    presence::{Presence, Watch, Watched},
};
use crate::{
    Server,
    connection::{Origin, SESSION},
    transport::one_line::OneLineBody,
};

/// The path of the MCP endpoint.
const PATH: &str = "/mcp";

/// Maximum number of sessions of older revisions. Each ends after five minutes without use.
const SESSIONS: usize = 1024;

/// Time that connections have to close after the last run has ended.
const CLOSING: Duration = Duration::from_secs(2);

/// Time for writing final results, before open-ended streams are closed.
const SETTLING: Duration = Duration::from_secs(1);

/// The state that all connections share.
struct Context {
    service: StreamableHttpService<Server, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    presence: Arc<Presence>,
    options: HttpOptions,
    message_bytes: usize,
}

pub(super) async fn serve(server: Server, options: HttpOptions, listener: TcpListener, shutdown: CancellationToken) {
    let sessions = Arc::new(LocalSessionManager::default());
    let streams = CancellationToken::new();
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(&options.hosts)
        .with_allowed_origins(&options.origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(server.limits().message_bytes)
        .with_cancellation_token(streams.clone());
    let made = server.clone();
    let context = Arc::new(Context {
        service: StreamableHttpService::new(move || Ok(made.clone()), Arc::clone(&sessions), config),
        sessions,
        presence: Arc::default(),
        message_bytes: server.limits().message_bytes,
        options,
    });
    let connections = Connections::new(context.options.connections, context.options.send_time);
    let listener = Listener::Tcp(listener);
    let requests = Arc::clone(&context);
    let handle = move |peer, request| {
        let context = Arc::clone(&requests);
        async move { admitted(answer(&context, peer, request).await).await }
    };
    tokio::select! {
        () = accept(&listener, &connections, handle) => {}
        () = server.keep_house() => {}
        () = shutdown.cancelled() => {}
    }
    server.stop();
    drop(listener);
    // The results of tasks can only be fetched over existing connections.
    let idle = server.idle(|| connections.count() > 0);
    let _ = tokio::time::timeout(context.options.drain, idle).await;
    server.end_tasks().await;
    // Results still have to be written before their connections are closed.
    // Streams that wait for events would not end by themselves, and clients that do not read have no more time.
    connections.close_after(SETTLING, || streams.cancel(), CLOSING).await;
}

/// A response that there is memory for, or the refusal of the request.
async fn admitted(response: Response<Body>) -> Response<Outgoing<Body>> {
    let why = match admit(response).await {
        Ok(response) => return response,
        Err(why) => why,
    };
    let hint = "hint: read the responses that were asked for, and try again";
    let mut refused =
        refuse(StatusCode::SERVICE_UNAVAILABLE, format!("Service Unavailable: {}\n{hint}\n", responses::refusal(&why)));
    refused.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    refused.map(Outgoing::short)
}

async fn answer(context: &Context, peer: Peer, mut request: Request<Incoming>) -> Response<Body> {
    if let Err((status, text)) = is_plain(&request) {
        return refuse(status, text);
    }
    if let Some(token) = &context.options.token
        && !has_token(request.headers(), token)
    {
        return refuse(StatusCode::UNAUTHORIZED, "Unauthorized: bring the bearer token that the operator has set\n");
    }
    if request.uri().path() != PATH {
        return refuse(StatusCode::NOT_FOUND, "Not Found: the protocol is spoken at /mcp\n");
    }
    let session = request.headers().get(SESSION).and_then(|value| value.to_str().ok()).map(ToOwned::to_owned);
    if session.is_none() && is_of_sessions(&request) && context.sessions.sessions.read().await.len() >= SESSIONS {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable: there are too many sessions\n");
    }
    // An unknown session id is ignored here; the SDK refuses it where it matters.
    let session = match session {
        Some(session) if is_of_sessions(&request) => {
            let known = context.sessions.sessions.read().await.contains_key(session.as_str());
            known.then_some(session)
        }
        _ => None,
    };
    let gone = CancellationToken::new();
    let machine = match peer {
        Peer::Tcp(address) => address.ip().to_canonical().to_string(),
        Peer::Unix => peer.to_string(),
    };
    let peer = peer.to_string();
    request.extensions_mut().insert(Origin { peer, machine, session: session.clone(), gone: gone.clone() });
    let is_call = *request.method() == Method::POST;
    if let Some(session) = &session {
        context.presence.note(session);
    }
    let request = match message::take(request, context.message_bytes, body::TIME).await {
        Ok(request) => request,
        Err(response) => return response,
    };
    let response = with_lines(context.service.handle(request).await);
    match session {
        Some(session) if is_call => {
            let (presence, sessions) = (Arc::clone(&context.presence), Arc::clone(&context.sessions));
            let watch = Watch { presence, session, gone, sessions };
            response.map(|body| Watched::new(body, watch).boxed())
        }
        _ => response,
    }
}

/// Escapes in events what their readers may take for the end of a line.
fn with_lines(response: Response<Body>) -> Response<Body> {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    match kind.starts_with("text/event-stream") {
        true => response.map(|body| OneLineBody::new(body).boxed()),
        false => response,
    }
}

/// Whether a request is of a revision that has sessions: newer revisions have a version header in every request.
fn is_of_sessions(request: &Request<Incoming>) -> bool {
    let version = request.headers().get("mcp-protocol-version").and_then(|value| value.to_str().ok());
    version.is_none_or(|version| version < "2026-07-28")
}
