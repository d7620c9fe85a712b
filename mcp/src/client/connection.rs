//! A connection to another server, which is opened again after it was lost.

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

/// Maximum number of pages of a listing.
const PAGES: usize = 200;

/// Time that a server has to end.
const CLOSING: Duration = Duration::from_secs(5);

/// A server, and the current connection to it.
#[derive(Debug)]
pub(super) struct Upstream {
    source: McpSource,
    /// The runtime of the connection; calls may come from other runtimes.
    runtime: Handle,
    changed: Arc<Notify>,
    tail: Tail,
    /// The secrets that were passed to the server.
    redaction: Redaction,
    connection: Mutex<Option<Connection>>,
}

#[derive(Debug)]
struct Connection {
    service: RunningService<RoleClient, Handler>,
    /// Unique among the connections of this process.
    number: u64,
    /// Ends the task that listens for changes.
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

    /// Lists the tools, page by page.
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

    /// Calls a tool. The error is the message of the program's exception. Secrets that the server repeats are removed.
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
        // If this future is dropped, the SDK cancels the request at the server.
        match timeout(limit, peer.call_tool_once(request)).await {
            Err(_) => Err(format!("the server did not answer within {limit:?}")),
            Ok(Ok(response)) => result::value(response),
            Ok(Err(ServiceError::McpError(error))) => Err(error.message.into_owned()),
            // The call is not repeated, because it is unknown whether the server has executed it.
            Ok(Err(error @ (ServiceError::TransportClosed | ServiceError::TransportSend(_)))) => {
                if matches!(error, ServiceError::TransportClosed) {
                    // The SDK may notice the lost connection late; the next call must open a new one.
                    self.connection.lock().await.take_if(|current| current.number == connection);
                }
                Err("the connection to the server was lost, and whether it did what was asked is not known\n\
                     hint: look before you call it again"
                    .into())
            }
            Ok(Err(error)) => Err(error.to_string()),
        }
    }

    /// The secrets that were passed to the server, which must not be repeated.
    pub(super) fn redaction(&self) -> &Redaction {
        &self.redaction
    }

    pub(super) async fn close(&self) {
        if let Some(mut connection) = self.connection.lock().await.take() {
            // The server gets some time to end by itself.
            let _ = connection.service.close_with_timeout(CLOSING).await;
        }
    }

    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Returns the peer of the connection and the number of the connection, which is opened if there is none.
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
        // A server that starts slowly may answer the request for the newest revision after the SDK has fallen back to
        // an older one. It is then started again, without the fallback.
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
        // The tools made from a listing are kept and counted; a cached listing would not be counted.
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

    /// Subscribes to changes of the tools. Newer revisions require a subscription; older ones notify every client.
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
