//! A connection to another server, which is made again when it was lost.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use isolette::{CancellationToken, Redaction};
use rmcp::{
    ClientServiceExt as _, Peer, RoleClient,
    model::{CallToolRequestParams, JsonObject, PaginatedRequestParams, ProtocolVersion, SubscriptionFilter},
    service::{ClientCacheConfig, ClientInitializeError, ClientLifecycleMode, RunningService, ServiceError},
};
use serde_json::Value;
use tokio::{
    runtime::Handle,
    sync::{Mutex, Notify},
    time::timeout,
};

use super::{
    error::SourceError,
    handler::Handler,
    listed::Listed,
    result,
    source::{McpSource, SourceTransport},
    transport::Tail,
};

/// Parts that a listing may come in.
const PAGES: usize = 200;

/// How long a server may take to end.
const CLOSING: Duration = Duration::from_secs(5);

/// A server, and the connection to it while there is one.
#[derive(Debug)]
pub(super) struct Upstream {
    source: McpSource,
    /// Where the connection lives; a call may come from elsewhere.
    runtime: Handle,
    changed: Arc<Notify>,
    tail: Tail,
    /// What was given to the server and is nobody else's.
    redaction: Redaction,
    connection: Mutex<Option<Connection>>,
}

#[derive(Debug)]
struct Connection {
    service: RunningService<RoleClient, Handler>,
    /// No two connections of a process have the same.
    number: u64,
    /// Ends what listens for changes.
    _listening: tokio_util::sync::DropGuard,
}

impl Upstream {
    pub(super) async fn connect(source: McpSource) -> Result<Arc<Self>, SourceError> {
        let redaction = Redaction::new(source.secrets().cloned());
        let upstream = Arc::new(Self {
            source,
            redaction,
            runtime: Handle::current(),
            changed: Arc::default(),
            tail: Tail::default(),
            connection: Mutex::default(),
        });
        upstream.peer().await?;
        Ok(upstream)
    }

    /// Lists the tools, part for part.
    pub(super) async fn list(self: &Arc<Self>) -> Result<Listed, SourceError> {
        let limit = self.source.start_time;
        match timeout(limit, self.list_parts()).await {
            Ok(listed) => listed,
            Err(_) => Err(self.too_slow(limit)),
        }
    }

    async fn list_parts(self: &Arc<Self>) -> Result<Listed, SourceError> {
        let (peer, _) = self.peer().await?;
        let mut listed = Listed::default();
        let mut cursor = None;
        for _ in 0..PAGES {
            let mut page = PaginatedRequestParams::default();
            page.cursor = cursor;
            let part = peer.list_tools(Some(page)).await.map_err(|error| self.unusable(&error.to_string()))?;
            listed.add(part.tools).map_err(|why| self.unusable(&why))?;
            cursor = part.next_cursor;
            if cursor.is_none() || listed.more {
                break;
            }
        }
        listed.more |= cursor.is_some();
        Ok(listed)
    }

    /// Calls a tool. The error is what the program's exception says. What the server repeats of our secrets does not come
    /// through.
    pub(super) async fn call(self: &Arc<Self>, tool: &str, arguments: Value) -> Result<Value, String> {
        let called = self.call_as_it_is(tool, arguments).await;
        called.map(|value| self.redaction.value(value)).map_err(|error| self.redaction.text(&error))
    }

    async fn call_as_it_is(self: &Arc<Self>, tool: &str, arguments: Value) -> Result<Value, String> {
        let mut request = CallToolRequestParams::new(tool.to_owned());
        request.arguments = match arguments {
            Value::Object(arguments) => Some(arguments),
            _ => Some(JsonObject::new()),
        };
        let (peer, connection) = self.peer().await.map_err(|error| error.message())?;
        let limit = self.source.call_time;
        // When this is dropped, the server is told that nobody waits any more.
        match timeout(limit, peer.call_tool_once(request)).await {
            Err(_) => Err(format!("the server did not answer within {limit:?}")),
            Ok(Ok(response)) => result::value(response),
            Ok(Err(ServiceError::McpError(error))) => Err(error.message.into_owned()),
            // It is not called a second time: nobody knows whether the server has done it.
            Ok(Err(error @ (ServiceError::TransportClosed | ServiceError::TransportSend(_)))) => {
                if matches!(error, ServiceError::TransportClosed) {
                    // It may take the connection a moment to notice, and the next call shall not be lost on it.
                    self.connection.lock().await.take_if(|current| current.number == connection);
                }
                Err("the connection to the server was lost, and whether it did what was asked is not known\n\
                     hint: look before you call it again"
                    .into())
            }
            Ok(Err(error)) => Err(error.to_string()),
        }
    }

    /// What of this side the server knows and may tell nobody.
    pub(super) fn redaction(&self) -> &Redaction {
        &self.redaction
    }

    pub(super) async fn close(&self) {
        if let Some(mut connection) = self.connection.lock().await.take() {
            // Some seconds for the server to end by itself.
            let _ = connection.service.close_with_timeout(CLOSING).await;
        }
    }

    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// The other side of the connection, which is made if there is none, and the connection's number.
    async fn peer(self: &Arc<Self>) -> Result<(Peer<RoleClient>, u64), SourceError> {
        let mut connection = self.connection.lock().await;
        if let Some(connection) = &*connection
            && !connection.service.is_closed()
            && !connection.service.peer().is_transport_closed()
        {
            return Ok((connection.service.peer().clone(), connection.number));
        }
        *connection = None;
        let upstream = Arc::clone(self);
        let opened = self.runtime.spawn(async move { upstream.open().await }).await;
        let opened = opened.map_err(|error| self.unusable(&error.to_string()))??;
        let peer = (opened.service.peer().clone(), opened.number);
        *connection = Some(opened);
        Ok(peer)
    }

    async fn open(&self) -> Result<Connection, SourceError> {
        let versions = vec![ProtocolVersion::V_2026_07_28];
        let either = ClientLifecycleMode::Auto { preferred_versions: versions.clone(), legacy_version: None };
        // Asked for the newest revision, a server that is slow to start may answer when the SDK has already fallen back to
        // an older one. Such a server is started again and given its time.
        let service = match self.serve(either).await? {
            Err(ClientInitializeError::ConflictInitResponseId(..)) => {
                self.serve(ClientLifecycleMode::Discover { preferred_versions: versions }).await?
            }
            served => served,
        };
        let service = match service {
            Ok(service) => service,
            Err(error) => {
                self.tail.is_over().await;
                return Err(self.unusable(&explain(&error)));
            }
        };
        // What is made of a listing is kept and counted; the listing itself need not be.
        service.peer().set_response_cache_config(ClientCacheConfig::disabled()).await;
        let listening = CancellationToken::new();
        self.listen(service.peer().clone(), listening.clone());
        static CONNECTIONS: AtomicU64 = AtomicU64::new(1);
        let number = CONNECTIONS.fetch_add(1, Ordering::Relaxed);
        Ok(Connection { service, number, _listening: listening.drop_guard() })
    }

    async fn serve(
        &self,
        lifecycle: ClientLifecycleMode,
    ) -> Result<Result<RunningService<RoleClient, Handler>, ClientInitializeError>, SourceError> {
        let limit = self.source.start_time;
        let handler = Handler { changed: Arc::clone(&self.changed) };
        let served = match &self.source.transport {
            SourceTransport::Child { .. } => {
                let child = self.source.child(&self.tail)?;
                timeout(limit, handler.serve_with_lifecycle(child, lifecycle)).await
            }
            SourceTransport::Http { .. } => {
                let http = self.source.http()?;
                timeout(limit, handler.serve_with_lifecycle(http, lifecycle)).await
            }
        };
        served.map_err(|_| self.too_slow(limit))
    }

    /// Newer revisions tell of changes only to those who listen; older ones tell everybody.
    fn listen(&self, peer: Peer<RoleClient>, until: CancellationToken) {
        let changed = Arc::clone(&self.changed);
        let listening = async move {
            let filter = SubscriptionFilter::builder().tools_list_changed().build();
            let Ok(mut subscription) = peer.listen(filter).await else { return };
            while let Ok(Some(_)) = subscription.next().await {
                changed.notify_one();
            }
        };
        tokio::spawn(async move {
            tokio::select! {
                () = listening => {}
                () = until.cancelled() => {}
            }
        });
    }

    fn unusable(&self, reason: &str) -> SourceError {
        SourceError::Unusable { name: self.source.name.clone(), reason: reason.into(), stderr: self.tail.text() }
    }

    fn too_slow(&self, limit: Duration) -> SourceError {
        SourceError::Timeout { name: self.source.name.clone(), limit, stderr: self.tail.text() }
    }
}

fn explain(error: &ClientInitializeError) -> String {
    match error {
        ClientInitializeError::ConnectionClosed(_) => "it closed the connection before it answered".into(),
        error => error.to_string(),
    }
}
