//! One test, four ways to the server.

use isolette_tests::{
    agents::{Client, Era, HttpServer, Script, stdio},
    inventory,
    libtest_mimic::{Completion, Trial},
    panics,
};

/// A client, what it speaks, and how it reaches the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) client: Client,
    pub(crate) era: Era,
    pub(crate) http: bool,
}

/// A server that can be reached, and a script to play against it.
pub(crate) struct Served {
    pub(crate) script: Script,
    /// Ends with this.
    _server: Option<HttpServer>,
}

const ALL: [Way; 4] = [
    Way { client: Client::Python, era: Era::New, http: false },
    Way { client: Client::Python, era: Era::Old, http: true },
    Way { client: Client::TypeScript, era: Era::New, http: true },
    Way { client: Client::TypeScript, era: Era::Old, http: false },
];

impl Way {
    /// Has a server with these arguments reached in this way.
    pub(crate) fn serve(self, arguments: &[&str]) -> Served {
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

/// A test that is run in every way.
pub(crate) struct AgentTest {
    pub(crate) module: &'static str,
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Way) -> Completion,
}

inventory::collect!(AgentTest);

pub(crate) fn trials() -> Vec<Trial> {
    let tests = inventory::iter::<AgentTest>.into_iter();
    tests
        .flat_map(|test| {
            ALL.into_iter().map(move |way| {
                let topic = test.module.split_once("::").map_or(test.module, |(_, topic)| topic);
                let name = format!("{topic}::{}::{}", test.name, way.name());
                Trial::ignorable_test(name, move || panics::caught(|| (test.run)(&way)))
            })
        })
        .collect()
}

/// Registers functions `fn(&Way) -> Result<(), Skipped>` as tests that are run in every way.
macro_rules! agents {
    ($($name:ident;)+) => {
        $(isolette_tests::inventory::submit! {
            $crate::ways::AgentTest {
                module: module_path!(),
                name: stringify!($name),
                run: |way| isolette_tests::Outcome::completion($name(way)),
            }
        })+
    };
}

pub(crate) use agents;
