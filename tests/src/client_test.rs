//! Tests of the MCP server that each client runs, over each transport and with each revision of the protocol.

use libtest_mimic::{Completion, Trial};

use crate::{
    agents::{Client, Era, HttpServer, Script, stdio},
    report,
    topic::topic,
};

/// A client, the revision of the protocol that it uses, and the transport.
#[derive(Clone, Copy, Debug)]
pub struct ClientCase {
    /// The client.
    pub client: Client,
    /// The revision of the protocol.
    pub era: Era,
    /// Whether the client reaches the server over HTTP; else it starts the server.
    pub http: bool,
}

/// A server that a client can reach, and a script for the client.
#[derive(Debug)]
pub struct Served {
    /// The script, which has no steps yet.
    pub script: Script,
    /// The server ends when this is dropped.
    _server: Option<HttpServer>,
}

/// Every client meets both transports and both revisions.
const ALL: [ClientCase; 4] = [
    ClientCase { client: Client::Python, era: Era::New, http: false },
    ClientCase { client: Client::Python, era: Era::Old, http: true },
    ClientCase { client: Client::TypeScript, era: Era::New, http: true },
    ClientCase { client: Client::TypeScript, era: Era::Old, http: false },
];

impl ClientCase {
    /// Starts a server with these arguments, or has the client start it.
    #[must_use]
    pub fn serve(self, arguments: &[&str]) -> Served {
        if self.http {
            let server = HttpServer::start(arguments);
            Served { script: Script::new(self.client, self.era, server.place()), _server: Some(server) }
        } else {
            Served { script: Script::new(self.client, self.era, stdio(arguments)), _server: None }
        }
    }

    fn name(self) -> String {
        let (client, era) = (format!("{:?}", self.client), format!("{:?}", self.era));
        let transport = if self.http { "http" } else { "stdio" };
        format!("{}::{}::{transport}", client.to_lowercase(), era.to_lowercase())
    }
}

/// A test that runs once for each [`ClientCase`].
#[derive(Debug)]
pub struct ClientTest {
    /// Its topic, as a module.
    pub module: &'static str,
    /// Its name in the topic.
    pub name: &'static str,
    /// The test.
    pub run: fn(&ClientCase) -> Completion,
}

inventory::collect!(ClientTest);

pub(crate) fn trials() -> impl Iterator<Item = Trial> {
    inventory::iter::<ClientTest>.into_iter().flat_map(|test| {
        ALL.into_iter().map(move |case| {
            let name = format!("{}::{}::{}", topic(test.module), test.name, case.name());
            report::trial(name, move || (test.run)(&case))
        })
    })
}
