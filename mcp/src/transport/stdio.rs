//! One client, over standard input and output.

use rmcp::{
    ErrorData, RoleServer, ServiceExt as _,
    model::{ClientJsonRpcMessage, ClientRequest, ServerJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport, io::stdio_pipes},
};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;

use super::lines::Lines;
use crate::Server;

/// Serves the client on the other side of standard input and output, until it closes its end or `shutdown` is cancelled.
/// Runs that are under way get some seconds to answer; then they are ended.
///
/// Nothing else may write to standard output in the meantime.
///
/// # Errors
/// What went wrong before the first request, in words: a client that speaks no version of the protocol.
pub async fn serve_stdio(server: Server, shutdown: CancellationToken) -> Result<(), String> {
    let (input, output) = stdio_pipes();
    let limit = server.limits().message_bytes;
    let (input, too_long) = Lines::new(input, limit);
    let transport = AsyncRwTransport::new_server(input, output).with_max_line_length(limit);
    let transport = Patient { inner: transport, begun: false, too_long, limit };
    let housekeeping = server.clone();
    let service = tokio::select! {
        service = server.serve_with_ct(transport, shutdown.clone()) => service,
        () = shutdown.cancelled() => return Ok(()),
    };
    let service = match service {
        Ok(service) => service,
        // A client that left before it said anything has done no wrong.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let ended = tokio::select! {
        ended = service.waiting() => ended.map(drop).map_err(|error| error.to_string()),
        () = housekeeping.keep_house() => Ok(()),
    };
    // Nobody can come for them any more.
    housekeeping.end_tasks().await;
    ended
}

/// Passes over what comes before the first request and is none, such as the cancellation of a question that the client
/// has given up: the SDK would end there. Answers what the SDK drops without a word.
struct Patient<T> {
    inner: T,
    begun: bool,
    too_long: UnboundedReceiver<()>,
    limit: usize,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Patient<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let message = tokio::select! {
                biased;
                Some(()) = self.too_long.recv() => {
                    // Nobody knows whose request it was. It is sent on its own: whoever waits here may not come back.
                    let text = format!("a message has at most {} bytes; this one was dropped unread", self.limit);
                    let error = ServerJsonRpcMessage::error(ErrorData::invalid_request(text, None), None);
                    tokio::spawn(self.inner.send(error));
                    continue;
                }
                message = self.inner.receive() => message?,
            };
            match &message {
                _ if self.begun => {}
                ClientJsonRpcMessage::Request(request) => {
                    self.begun = !matches!(request.request, ClientRequest::DiscoverRequest(_));
                }
                _ => continue,
            }
            return Some(message);
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
