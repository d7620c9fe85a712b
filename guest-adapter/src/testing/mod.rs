//! A host for unit tests, with files and payloads in memory and a log of calls.

mod files;

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use isolette_abi::{
    CHUNK_LIMIT, Call, MESSAGE_LIMIT, Mount, Payload, Start,
    capabilities::{self, CapabilityError},
    decode, encode,
    http::{HttpError, Response},
    system,
    tickets::{Completion, Exchange, Submission, Submitted},
    tools::{self, Description, FoundTool, SearchResults, Summary, ToolError},
    transfer::{self, Chunk},
};

use crate::{
    host_calls::{HostCall, HostCalls},
    state::State,
};

/// The state of the host.
#[derive(Default)]
pub(crate) struct FakeHost {
    /// One line for each call, in order.
    pub(crate) log: Vec<String>,
    /// `None` for directories.
    pub(crate) files: BTreeMap<String, Option<Vec<u8>>>,
    pub(crate) payloads: BTreeMap<u32, Vec<u8>>,
    /// The maximum number of bytes that are stored for the guest.
    pub(crate) payload_limit: usize,
    /// The body of the next HTTP response.
    pub(crate) response_body: Vec<u8>,
    pub(crate) clock: u64,
    next_handle: u32,
    /// Replies of submitted calls that the guest has not got.
    submitted: Vec<(u32, Vec<u8>)>,
}

/// The host, as both sides of the tests use it.
#[derive(Clone)]
pub(crate) struct Shared(pub(crate) Rc<RefCell<FakeHost>>);

impl Shared {
    pub(crate) fn log(&self) -> Vec<String> {
        std::mem::take(&mut self.0.borrow_mut().log)
    }

    pub(crate) fn put(&self, path: &str, contents: &[u8]) {
        self.0.borrow_mut().files.insert(path.into(), Some(contents.to_vec()));
    }
}

impl HostCall for Shared {
    fn call(&mut self, message: &[u8]) -> Vec<u8> {
        assert!(message.len() <= MESSAGE_LIMIT, "a message of {} bytes", message.len());
        let reply = self.0.borrow_mut().answer(decode(message).expect("the adapter sends calls"));
        assert!(reply.len() <= MESSAGE_LIMIT, "a reply of {} bytes", reply.len());
        reply
    }
}

/// A state during a run, with `/input` and `/data/in` read-only and `/output` writable.
pub(crate) fn running() -> (State, Shared) {
    let host = Shared(Rc::new(RefCell::new(FakeHost { payload_limit: 10 * CHUNK_LIMIT, ..FakeHost::default() })));
    for directory in ["/input", "/output", "/data/in"] {
        host.0.borrow_mut().files.insert(directory.into(), None);
    }
    let mut state = State::new(HostCalls::new(Box::new(host.clone())));
    begin(&mut state);
    (state, host)
}

pub(crate) fn begin(state: &mut State) {
    let mount = |path, writable| Mount { path, writable };
    state.begin(&Start {
        version: isolette_abi::VERSION,
        seed: [3; 32],
        mounts: vec![mount("/data/in", false), mount("/input", false), mount("/output", true)],
        code: Payload::Inline(b""),
        filename: "program",
        variables: Payload::Inline(b""),
        mode: isolette_abi::Mode::Fresh,
        http_body: isolette_abi::BodyRule::Auto,
        tool_calls: isolette_abi::CallStyle { asynchronous: false, reason: "" },
        interface_calls: isolette_abi::CallStyle { asynchronous: false, reason: "" },
        dialect: isolette_abi::Dialect::Isolette,
    });
}

impl FakeHost {
    fn answer(&mut self, call: Call<'_>) -> Vec<u8> {
        match call {
            Call::Console(output) => {
                self.log.push(format!("{:?} {}", output.stream, String::from_utf8_lossy(output.bytes)));
                encode(&())
            }
            Call::System(call) => self.system(call),
            Call::Transfer(call) => self.transfer(call),
            Call::Tools(call) => self.tools(call),
            Call::Capabilities(call) => self.capabilities(&call),
            Call::Files(call) => self.file(call),
            Call::Tickets(exchange) => self.tickets(exchange),
            Call::Http(request) => {
                let sent = self.take(request.body);
                self.log.push(format!("{} {} {}", request.method, request.url, sent.len()));
                if request.url.contains("denied") {
                    return encode(&Err::<Response<'_>, _>(HttpError::Denied("by the rules".into())));
                }
                let body = std::mem::take(&mut self.response_body);
                let headers = request.headers.clone();
                let body = self.give(&body);
                encode(&Ok::<_, HttpError>(Response {
                    status: 200,
                    url: request.url,
                    headers,
                    body: payload(&body),
                    truncated: false,
                }))
            }
        }
    }

    /// Completes submitted calls in reverse order, when the guest waits.
    fn tickets(&mut self, exchange: Exchange<'_>) -> Vec<u8> {
        self.log.push(format!(
            "submit {} cancel {:?} wait {}",
            exchange.submit.len(),
            exchange.cancel,
            exchange.wait.is_some()
        ));
        for Submission { ticket, call } in exchange.submit {
            let reply = self.answer(match call {
                Submitted::Tool { name, arguments, line } => Call::Tools(tools::Call::Call { name, arguments, line }),
                Submitted::Http(request) => Call::Http(request),
                Submitted::Capability { interface, function, arguments, line } => {
                    Call::Capabilities(capabilities::Call::Call { interface, function, arguments, line })
                }
            });
            self.submitted.push((ticket, reply));
        }
        self.submitted.retain(|(ticket, _)| !exchange.cancel.contains(ticket));
        if exchange.wait.is_none() {
            return encode::<[Completion<'_>]>(&[]);
        }
        let mut room = MESSAGE_LIMIT;
        let mut complete = Vec::new();
        while let Some(last) = self.submitted.pop_if(|(_, reply)| reply.len() + 16 <= room) {
            room -= last.1.len() + 16;
            complete.push(last);
        }
        encode(&complete.iter().map(|(ticket, reply)| Completion { ticket: *ticket, reply }).collect::<Vec<_>>())
    }

    fn system(&mut self, call: system::Call) -> Vec<u8> {
        self.log.push(format!("{call:?}"));
        self.clock += 10;
        match call {
            system::Call::WallClock | system::Call::MonotonicClock => encode(&self.clock),
            system::Call::DeadlineRemaining => encode(&1_000_u64),
            system::Call::RandomSeed => encode(&[9_u8; 32]),
            system::Call::Sleep(nanoseconds) => {
                self.clock += nanoseconds;
                encode(&())
            }
        }
    }

    fn transfer(&mut self, call: transfer::Call<'_>) -> Vec<u8> {
        match call {
            transfer::Call::Append { handle, bytes } => {
                let kept: usize = self.payloads.values().map(Vec::len).sum();
                if kept + bytes.len() > self.payload_limit {
                    return encode(&None::<u32>);
                }
                let handle = handle.unwrap_or_else(|| self.handle());
                self.payloads.entry(handle).or_default().extend_from_slice(bytes);
                encode(&Some(handle))
            }
            transfer::Call::Read { handle, offset, length } => {
                let rest = &self.payloads[&handle][offset as usize..];
                encode(&Chunk(&rest[..rest.len().min(length as usize).min(CHUNK_LIMIT)]))
            }
            transfer::Call::Release { handle } => {
                assert!(self.payloads.remove(&handle).is_some(), "released what is not there");
                encode(&())
            }
        }
    }

    fn tools(&mut self, call: tools::Call<'_>) -> Vec<u8> {
        match call {
            tools::Call::Call { name, arguments, .. } => {
                let arguments = self.take(arguments);
                self.log.push(format!("tool {name} {}", arguments.len()));
                match name {
                    "echo" => {
                        let result = self.give(&arguments);
                        encode(&Ok::<_, ToolError>(payload(&result)))
                    }
                    _ => encode(&Err::<Payload<'_>, _>(ToolError::UnknownTool(format!("no '{name}'")))),
                }
            }
            tools::Call::List => {
                let long = "d".repeat(CHUNK_LIMIT);
                let listing = [Summary { name: "echo", description: "" }, Summary { name: "x", description: &long }];
                let listing = self.give(&encode(&listing.to_vec()));
                encode(&payload(&listing))
            }
            tools::Call::Describe { name } => {
                let description =
                    Description { name, description: "", input_schema: "{}", output_schema: None, declaration: "" };
                encode(&Ok::<_, ToolError>(Payload::Inline(&encode(&description))))
            }
            tools::Call::Search { text, limit, .. } => {
                let found = FoundTool {
                    name: text,
                    description: Some(""),
                    tags: vec!["tag"],
                    parameters: None,
                    input_schema: None,
                    output_schema: None,
                };
                let results = encode(&SearchResults { tools: vec![found], total: limit });
                encode(&Ok::<_, ToolError>(Payload::Inline(&results)))
            }
        }
    }

    fn capabilities(&mut self, call: &capabilities::Call<'_>) -> Vec<u8> {
        self.log.push(format!("{call:?}").chars().take(64).collect());
        match *call {
            capabilities::Call::Call { arguments, .. } => {
                let arguments = self.take(arguments);
                let result = self.give(&arguments);
                encode(&Ok::<_, CapabilityError>(payload(&result)))
            }
            capabilities::Call::List => {
                let listing = [capabilities::Summary { name: "test:echo/bytes", description: "" }];
                encode(&Payload::Inline(&encode(&listing.to_vec())))
            }
            capabilities::Call::Describe { .. } => encode(&Ok::<_, CapabilityError>(Payload::Inline(b"{}"))),
            capabilities::Call::Drop { .. } => encode(&()),
        }
    }

    /// Removes and returns the bytes of a payload of the guest.
    fn take(&mut self, payload: Payload<'_>) -> Vec<u8> {
        match payload {
            Payload::Inline(bytes) => bytes.to_vec(),
            Payload::Stored { handle, length } => {
                let bytes = self.payloads.remove(&handle).expect("a payload that is there");
                assert_eq!(bytes.len() as u64, length);
                bytes
            }
        }
    }

    /// Stores what is too long for a message.
    fn give(&mut self, bytes: &[u8]) -> Given {
        if bytes.len() <= CHUNK_LIMIT {
            return Given::Inline(bytes.to_vec());
        }
        let handle = self.handle();
        self.payloads.insert(handle, bytes.to_vec());
        Given::Stored(handle, bytes.len() as u64)
    }

    fn handle(&mut self) -> u32 {
        self.next_handle += 1;
        self.next_handle
    }
}

enum Given {
    Inline(Vec<u8>),
    Stored(u32, u64),
}

fn payload(given: &Given) -> Payload<'_> {
    match given {
        Given::Inline(bytes) => Payload::Inline(bytes),
        Given::Stored(handle, length) => Payload::Stored { handle: *handle, length: *length },
    }
}
