//! The calls of a run that were submitted: queued ones, open ones, and those whose replies have come.

use std::collections::{HashMap, HashSet, VecDeque};

use isolette_abi::{Payload, http, tickets::Submitted};

/// More bytes than the tags and lengths of a submission take, and those of a message.
pub(crate) const FRAME: usize = 1024;

/// The tickets of a run.
#[derive(Default)]
pub(crate) struct Tickets {
    pub(crate) last: u32,
    pub(crate) queue: Vec<Queued>,
    /// At least the number of bytes that the queue takes in a message.
    pub(crate) queued_bytes: usize,
    pub(crate) cancelled: Vec<u32>,
    /// The tickets that the host has, and whose replies have not come.
    pub(crate) open: HashSet<u32>,
    /// Replies that the interpreter has not taken.
    pub(crate) replies: HashMap<u32, Vec<u8>>,
    /// The tickets of those that the interpreter has not been told of, in the order of completion.
    pub(crate) completed: VecDeque<u32>,
}

pub(crate) struct Queued {
    pub(crate) ticket: u32,
    pub(crate) call: OwnedCall,
}

impl Tickets {
    /// Whether this call is queued or open.
    pub(crate) fn is_open(&self, ticket: u32) -> bool {
        self.open.contains(&ticket) || self.queue.iter().any(|queued| queued.ticket == ticket)
    }

    /// Whether a call is queued or open.
    pub(crate) fn has_open(&self) -> bool {
        !self.open.is_empty() || !self.queue.is_empty()
    }
}

/// A call with its texts, as [`Submitted`].
pub(crate) enum OwnedCall {
    Tool {
        name: String,
        arguments: Bytes,
        line: u32,
    },
    Http {
        method: String,
        url: String,
        headers: Vec<(String, String)>,
        body: Bytes,
        timeout: Option<u64>,
        redirects: u32,
        line: u32,
    },
    Capability {
        interface: String,
        function: String,
        arguments: Bytes,
        line: u32,
    },
}

/// Bytes of the guest: here, or stored by the host.
pub(crate) enum Bytes {
    Here(Vec<u8>),
    Stored { handle: u32, length: u64 },
}

impl Bytes {
    pub(crate) fn payload(&self) -> Payload<'_> {
        match self {
            Self::Here(bytes) => Payload::Inline(bytes),
            Self::Stored { handle, length } => Payload::Stored { handle: *handle, length: *length },
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Here(bytes) => bytes.len(),
            Self::Stored { .. } => 0,
        }
    }
}

impl OwnedCall {
    pub(crate) fn submitted(&self) -> Submitted<'_> {
        match self {
            Self::Tool { name, arguments, line } => {
                Submitted::Tool { name, arguments: arguments.payload(), line: *line }
            }
            Self::Http { method, url, headers, body, timeout, redirects, line } => Submitted::Http(http::Request {
                method,
                url,
                headers: headers.iter().map(|(name, value)| (&**name, &**value)).collect(),
                body: body.payload(),
                timeout: *timeout,
                redirects: *redirects,
                line: *line,
            }),
            Self::Capability { interface, function, arguments, line } => {
                Submitted::Capability { interface, function, arguments: arguments.payload(), line: *line }
            }
        }
    }

    pub(crate) fn bytes(&self) -> &Bytes {
        match self {
            Self::Tool { arguments: bytes, .. }
            | Self::Http { body: bytes, .. }
            | Self::Capability { arguments: bytes, .. } => bytes,
        }
    }

    /// At least the number of bytes that the call takes in a message.
    pub(crate) fn length(&self) -> usize {
        let texts = match self {
            Self::Tool { name, .. } => name.len(),
            Self::Http { method, url, headers, .. } => {
                method.len()
                    + url.len()
                    + headers.iter().map(|(name, value)| name.len() + value.len() + 6).sum::<usize>()
            }
            Self::Capability { interface, function, .. } => interface.len() + function.len(),
        };
        texts + self.bytes().len() + FRAME
    }
}
