//! The transport over standard input and output, for one client.

use isolette::values::Reservation;
use rmcp::{
    ErrorData, RoleServer, ServiceExt as _,
    model::{ClientJsonRpcMessage, ClientRequest, GetExtensions as _, ServerJsonRpcMessage},
    transport::{Transport, async_rw::AsyncRwTransport, io::stdio_pipes},
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio_util::sync::CancellationToken;

use super::{
    lines::{Judge, Lines},
    one_line::OneLine,
};
use crate::{
    Server,
    measured::{self, RequestMemory, Unread},
};

/// Serves the client on the other side of standard input and output, until the client closes its end or `shutdown` is
/// cancelled. Runs in flight get some seconds to answer; then they are ended.
///
/// The process must not write anything else to standard output meanwhile.
///
/// # Errors
/// A message about a failure before the first request, for example a client that supports no common version of the
/// protocol.
pub async fn serve_stdio(server: Server, shutdown: CancellationToken) -> Result<(), String> {
    let (input, output) = stdio_pipes();
    let limit = server.limits().message_bytes;
    let (sender, outcomes) = unbounded_channel();
    let input = Lines::new(input, limit, sender);
    let transport = AsyncRwTransport::new_server(input, OneLine::new(output)).with_max_line_length(limit);
    let transport = LenientTransport { inner: transport, begun: false, outcomes, room: Reservation::default(), limit };
    let housekeeping = server.clone();
    let service = tokio::select! {
        service = server.serve_with_ct(transport, shutdown.clone()) => service,
        () = shutdown.cancelled() => return Ok(()),
    };
    let service = match service {
        Ok(service) => service,
        // A client that disconnects before its first message is not an error.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let ended = tokio::select! {
        ended = service.waiting() => ended.map(drop).map_err(|error| error.to_string()),
        () = housekeeping.keep_house() => Ok(()),
    };
    // Without a connection the results of tasks cannot be fetched.
    housekeeping.end_tasks().await;
    ended
}

/// The outcome for a line before it is parsed.
enum LineOutcome {
    Passed(Reservation),
    Refused(Box<ServerJsonRpcMessage>),
    TooLong,
}

/// Send errors are ignored: the receiver is gone when the server has ended.
impl Judge for UnboundedSender<LineOutcome> {
    fn passed(&mut self, room: Reservation) {
        let _ = self.send(LineOutcome::Passed(room));
    }

    fn refused(&mut self, line: &[u8], why: &Unread) -> Vec<u8> {
        let id = measured::id(line).and_then(|id| serde_json::from_value(id).ok());
        let error = ErrorData::invalid_request(measured::refusal("the message", why), None);
        let _ = self.send(LineOutcome::Refused(Box::new(ServerJsonRpcMessage::error(error, id))));
        Vec::new()
    }

    fn too_long(&mut self) {
        let _ = self.send(LineOutcome::TooLong);
    }
}

/// Skips messages before the first request that are not requests, such as a cancellation, at which the SDK would end.
/// Answers messages that the SDK drops silently.
struct LenientTransport<T> {
    inner: T,
    begun: bool,
    outcomes: UnboundedReceiver<LineOutcome>,
    /// Memory for messages that the SDK has not returned yet.
    room: Reservation,
    limit: usize,
}

impl<T: Transport<RoleServer>> LenientTransport<T> {
    fn handle(&mut self, outcome: LineOutcome) {
        let error = match outcome {
            LineOutcome::Passed(room) => return self.room.absorb(room),
            LineOutcome::Refused(error) => *error,
            LineOutcome::TooLong => {
                // The id of the request is unknown.
                let text = format!("a message has at most {} bytes; this one was dropped unread", self.limit);
                ServerJsonRpcMessage::error(ErrorData::invalid_request(text, None), None)
            }
        };
        // Sent by a task of its own, because the future of `receive` may be dropped.
        tokio::spawn(self.inner.send(error));
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for LenientTransport<T> {
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
                Some(outcome) = self.outcomes.recv() => {
                    self.handle(outcome);
                    continue;
                }
                message = self.inner.receive() => message,
            };
            // The outcomes of all lines up to this message have been sent by now.
            while let Ok(outcome) = self.outcomes.try_recv() {
                self.handle(outcome);
            }
            let mut message = message?;
            let room = std::mem::take(&mut self.room);
            if let ClientJsonRpcMessage::Request(request) = &mut message {
                request.request.extensions_mut().insert(RequestMemory::new(room));
            }
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
